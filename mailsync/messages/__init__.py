"""The message store: each message of an account once, its body only when it is about a job."""
