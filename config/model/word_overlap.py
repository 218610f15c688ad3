"""Better is the output that takes up more of the instruction's words; of equals, the shorter one."""


def words(text: str) -> set[str]:
    return {word.strip(".,;:!?\"'()").lower() for word in text.split()}


def judge(instruction: str, output_1: str, output_2: str) -> float:
    wanted = words(instruction)
    first, second = (len(wanted & words(output)) - len(output) / 1_000_000 for output in (output_1, output_2))
    return first - second
