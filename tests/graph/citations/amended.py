"""Rules that other documents amend."""

NAMES = {"h": ["Harbour Rules 2018"], "t": ["Tug Rules 2016"], "am": ["Harbour (Amendment) Rules 2020"]}
RULES = [
    ("h", "1", "A tug must call 24 hours before."),
    ("h", "2", "A pilot must rest."),
    ("t", "1", "Rest."),
]
SUBSTITUTE = "In rule 1, for “24 hours” substitute “12 hours”."
LEAD = "The Harbour Rules 2018 are amended as follows."
