from pipeline.usage.batches import custom_id, submission_key


def test_a_question_has_one_name_that_tells_nothing_of_it():
    name = custom_id("mail.interpret", 1, 2, 3, "small")
    assert name == custom_id("mail.interpret", 1, 2, 3, "small")
    others = {
        custom_id("job.review", 1, 2, 3, "small"),
        custom_id("mail.interpret", 2, 2, 3, "small"),
        custom_id("mail.interpret", 1, 3, 3, "small"),
        custom_id("mail.interpret", 1, 2, 4, "small"),
        custom_id("mail.interpret", 1, 2, 3, "big"),
    }
    assert len(others | {name}) == 6
    assert name.isalnum()
    assert len(name) <= 64


def test_a_submission_has_one_key_in_whatever_order_its_requests_stand():
    assert submission_key(["a", "b"]) == submission_key(["b", "a"])
    assert submission_key(["a", "b"]) != submission_key(["a", "b", "c"])
    assert submission_key(["ab"]) != submission_key(["a", "b"])
