import Offprint

print(Renderer.version)
