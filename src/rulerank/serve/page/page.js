"use strict";

const REASONS = 5;
const byId = (id) => document.getElementById(id);

/** An element with a class, a text or children; text is never read as markup. */
function element(name, { kind, text, ...attributes } = {}, ...children) {
  const made = document.createElement(name);
  if (kind) made.className = kind;
  if (text !== undefined) made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

async function post(route, body) {
  const response = await fetch(`v1/${route}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  }).catch(() => { throw new Error("The server cannot be reached. Try again."); });
  // A proxy before the server answers in its own form.
  const said = await response.json().catch(() => ({}));
  if (response.ok && said?.generation) return said;
  const fault = said?.error?.message ? said.error : { message: `No answer came (status ${response.status}). Try again.` };
  throw Object.assign(new Error(fault.message), { code: fault.code });
}

const place = (passage) => `${passage.document} ${passage.section}`.trim();
const signed = (number) => (number < 0 ? "−" : "+") + Math.abs(number).toFixed(2);
const shown = (value) => (value === null ? "missing" : String(Number(value.toPrecision(3))));

function passageParts(passage) {
  const parts = [element("p", { kind: "text", text: passage.text })];
  if (passage.voided_by.length) {
    parts.unshift(element("p", { kind: "voided", text: `Changed or repealed by ${passage.voided_by.join(", ")}` }));
  }
  return parts;
}

function reasonsTable(reasons) {
  const head = element("tr", {},
    element("th", { scope: "col", text: "Feature" }),
    element("th", { scope: "col", kind: "number", text: "Value" }),
    element("th", { scope: "col", kind: "number", text: "Share" }));
  const rows = reasons.map((each) => element("tr", {},
    element("td", { text: each.feature.replaceAll("_", " ") }),
    element("td", { kind: "number", text: shown(each.value) }),
    element("td", { kind: "number", text: signed(each.contribution) })));
  return element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows));
}

function judgementButtons(question, passage) {
  const row = element("div", { kind: "row judgement" });
  const said = element("span", { kind: "quiet", role: "status" });
  const button = (text, accepted) => {
    const made = element("button", { type: "button", text, "aria-label": `${text}: ${place(passage)}` });
    made.addEventListener("click", async () => {
      try {
        await post("feedback", { question, passage_id: passage.passage_id, accepted });
        said.textContent = "Kept, thank you.";
      } catch (error) {
        said.textContent = error.code === "feedback_off" ? "This server keeps no judgements." : error.message;
      }
    });
    return made;
  };
  row.append(button("Answers it", true), button("Does not", false), said);
  return row;
}

function showRules(question, reply) {
  byId("rules").replaceChildren(...reply.passages.map((passage) => {
    const chance = passage.probability === null ? "" : `, probability ${passage.probability.toFixed(2)}`;
    return element("li", {},
      element("h3", { text: `${passage.rank}. ${place(passage)}` }),
      element("p", { kind: "quiet", text: `${passage.passage_id}, score ${passage.score.toFixed(2)}${chance}` }),
      ...passageParts(passage),
      element("details", {}, element("summary", { text: "Why it stands here" }), reasonsTable(passage.reasons)),
      judgementButtons(question, passage));
  }));
}

function showAnswer(reply) {
  const number = new Map(reply.passages.map((passage, index) => [passage.passage_id, index + 1]));
  const day = element("p", { kind: "quiet", text: `As of ${reply.as_of}` });
  if (!reply.answered) {
    const why = element("p", { text: reply.abstained_because ?? "" });
    byId("answer").replaceChildren(element("p", { text: "No answer is given." }), why, day);
    return;
  }
  const claims = reply.claims.map((claim) => {
    const links = claim.passages.flatMap((id) =>
      [" ", element("a", { href: `#source-${number.get(id)}`, text: `[${number.get(id)}]` })]);
    return element("li", { kind: "claim", text: claim.text }, ...links);
  });
  const cited = new Set(reply.claims.flatMap((claim) => claim.passages));
  const sources = reply.passages.filter((passage) => cited.has(passage.passage_id)).map((passage) => {
    const index = number.get(passage.passage_id);
    return element("div", { kind: "source", id: `source-${index}`, tabindex: "-1" },
      element("h4", { text: `[${index}] ${place(passage)}` }), ...passageParts(passage));
  });
  byId("answer").replaceChildren(element("ul", {}, ...claims), day, element("h3", { text: "It rests on" }), ...sources);
}

function tell(text, wrong = false) {
  byId("status").textContent = text;
  byId("status").classList.toggle("wrong", wrong);
}

async function ask(event) {
  event.preventDefault();
  const form = byId("ask");
  const button = form.querySelector("button");
  // Ctrl+Enter asks whether or not the button is disabled; an earlier reply must not replace a later one.
  if (button.disabled) return;
  const question = form.question.value;
  const asked = { question, k: Number(form.k.value), as_of: form.as_of.value || null };
  button.disabled = true;
  // The answer to one question must not stand below another.
  byId("results").hidden = true;
  tell("Asking…");
  try {
    const [ranked, answer] = await Promise.all([
      post("rank", { ...asked, reasons: REASONS }), post("answer", asked)]);
    showRules(question, ranked);
    showAnswer(answer);
    byId("results").hidden = false;
    byId("generation").textContent = `Ranker ${ranked.generation}`;
    tell(ranked.passages.length === 1 ? "1 rule found." : `${ranked.passages.length} rules found.`);
    byId("answer-title").focus();
  } catch (error) {
    tell(error.message, true);
  } finally {
    button.disabled = false;
  }
}

byId("ask").addEventListener("submit", ask);
byId("question").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) byId("ask").requestSubmit();
});
