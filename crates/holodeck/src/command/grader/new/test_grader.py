from types import SimpleNamespace
from unittest import TestCase

from NAME import grade


class Grade(TestCase):
    def test_the_right_answer_may_stand_anywhere(self):
        self.assertTrue(grade(SimpleNamespace(ground_truth="Paris", agent_response="It is paris.")))
        self.assertFalse(grade(SimpleNamespace(ground_truth="Paris", agent_response="It is Lyon.")))

    def test_without_a_ground_truth_there_is_nothing_to_grade(self):
        with self.assertRaises(ValueError):
            grade(SimpleNamespace(ground_truth=None, agent_response="It is Paris."))
