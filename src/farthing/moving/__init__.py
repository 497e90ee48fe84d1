"""Moving in and out: files of banks and of other programs, import jobs, exports."""
