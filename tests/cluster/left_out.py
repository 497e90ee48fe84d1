"""The tests of the API that need the app in their own process; by file or by test, with the reason."""

_IN_PROCESS = "look into the app, in their own process"
_OTHER_SETTINGS = "ask an app with other settings than the cluster has"
_FOLDER = "look into the folder of attachments, and the cluster has a bucket"
_NO_CLIENT = "send headers that a real HTTP client refuses to send"

LEFT_OUT = {
    "tests/attachments/test_flow.py::test_addresses_in_answers_follow_the_public_address": _OTHER_SETTINGS,
    "tests/attachments/test_download.py::test_a_content_that_is_lost_is_409": _FOLDER,
    "tests/attachments/test_upload.py::test_nobody_else_may_read_the_folder": _FOLDER,
    "tests/factors/test_passkeys.py": _OTHER_SETTINGS,
    "tests/http/test_links.py": _OTHER_SETTINGS,
    "tests/http/test_access.py::test_to_know_who_asks_takes_one_query_with_a_token_and_in_a_session": _IN_PROCESS,
    "tests/http/test_kernel.py::test_a_bug_of_ours_shows_a_request_id_and_nothing_of_the_inside": _IN_PROCESS,
    "tests/http/test_kernel.py::test_requests_that_end_together_are_each_counted_and_told": _IN_PROCESS,
    "tests/rules/test_writing.py::test_another_server_notices_changed_rules": _IN_PROCESS,
    "tests/http/test_patience.py": _IN_PROCESS,
    "tests/http/test_stopping.py": _IN_PROCESS,
    "tests/sharing/test_audit.py::test_sign_ins_and_refusals_are_kept_with_device_and_address": _IN_PROCESS,
    "tests/sharing/test_sharing.py::test_a_token_counts_in_its_networks_only": _IN_PROCESS,
    "tests/http/test_kernel.py::test_a_token_is_enough[postgresql-BEARER   {} ]": _NO_CLIENT,
    "tests/http/test_kernel.py::test_without_a_token_that_counts_nobody_enters[postgresql-Bearer ]": _NO_CLIENT,
}
