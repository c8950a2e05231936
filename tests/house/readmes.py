"""Every folder of src/ that has code has a README.md that says something."""
from house.files import ours, read

FEWEST_CHARACTERS = 80


def problems(root):
    folders = {name.rpartition("/")[0] for name in ours(root, ".cpp", ".hpp")
               if name.startswith("src/")}
    found = []
    for folder in sorted(folders):
        readme = f"{folder}/README.md"
        if not (root / readme).is_file():
            found.append(f"{readme} is missing: what lives here, what may be included, where to start")
        elif len(read(root, readme).strip()) < FEWEST_CHARACTERS:
            found.append(f"{readme} says too little")
    return found
