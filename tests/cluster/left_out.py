"""The tests of the API that need the app in their own process; by file or by test, with the reason."""

_COUNTED = "count the statements of the app, in their own process"
_OTHER_SETTINGS = "ask an app with other settings than the cluster has"

LEFT_OUT = {
    "tests/attachments/test_flow.py::test_addresses_in_answers_follow_the_public_address": _OTHER_SETTINGS,
    "tests/http/test_access.py::test_to_know_who_asks_takes_one_query_with_a_token_and_in_a_session": _COUNTED,
}
