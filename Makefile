# The commands of developers and CI. On a machine without the libraries, prefix them with .ci/with: .ci/with make demo
# The demo is built without optimization, in a third of the time, and in a separate folder, so that the build of the tests is unaffected. Its build
# is faster because each module is compiled as a whole (release configuration), modules wait only for the interfaces of their imports (integrated
# driver), and there is no debug information, no exclusivity checking and no verification of the compiler's output.
#
# Most symbols that are resolved at startup belong to libstdc++, which only the Swift runtime needs. It is linked statically if available, from a
# folder that contains nothing else. Libraries with stubs (Sources/CLibraries) are not loaded at startup: the option is passed to the linker
# through clang, because SwiftPM lists the libraries before our options. The toolchain's linker packs relative relocations (RELR) if the C
# library supports them (glibc 2.36). Nothing is exported, because no loaded library imports symbols of the program. Generic types are accessed
# by their metadata accessors, not by mangled names, which the runtime would demangle and look up at each start.
# The build folder of the optimized programs. CI builds them beside its tests, in a folder of their own.
OPTIMIZED_BUILD = .build
STATIC = .build/static
RELR = $(shell printf '2.36\n%s\n' "$$(getconf GNU_LIBC_VERSION | cut -d' ' -f2)" | sort -VC && echo -Xlinker -z -Xlinker pack-relative-relocs)
AS_NEEDED = CCC_OVERRIDE_OPTIONS='\#^-Wl,--as-needed ^-Qunused-arguments'
OPTIMIZED = mkdir -p $(STATIC) && ln -sf "$$(clang -print-file-name=libstdc++.a)" $(STATIC)/libstdc++.a && \
	$(AS_NEEDED) swift build -c release --scratch-path $(OPTIMIZED_BUILD) --static-swift-stdlib -Xswiftc -gnone -Xswiftc -L$(CURDIR)/$(STATIC) \
	-Xswiftc -use-ld=lld -Xlinker --no-export-dynamic -Xlinker --icf=safe $(RELR) \
	-Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors
RELEASE = $(OPTIMIZED) --product offprint -Xlinker -s
RELEASE_SERVER = $(OPTIMIZED) --product offprint-server
OFFPRINT = .build/release/offprint

# SwiftPM warns of flags in the descriptions of C libraries that it does not take.
_ := $(shell .ci/pkgconfig .build/pkgconfig 2>/dev/null)
# The service is a part of this repository's own builds (see Package.swift).
export OFFPRINT_SERVICE = 1
export PKG_CONFIG_PATH := $(CURDIR)/.build/pkgconfig:$(PKG_CONFIG_PATH)

.PHONY: demo build server test bench bench-counts bench-cache bench-parsing docs fuzz fuzz-pages reproductions fixtures format serve-demo hostile cluster-demo \
	bundle library wheel deb image install uninstall check-dist check coverage site

# The program to use and to install: optimized, in .build/release.
build:
	$(RELEASE)

# The service, optimized.
server:
	$(RELEASE_SERVER)

# An archive that runs on every Linux with glibc 2.36 or later: dist/offprint-VERSION-linux-ARCH.tar.gz. Its programs are one file.
bundle:
	export OFFPRINT_COMBINED=1; $(RELEASE)
	Distribution/bundle .build/release

# The C library, with what it needs: dist/liboffprint-VERSION-linux-ARCH.tar.gz. It exports offprint_* alone. SwiftPM links shared libraries with the
# shared Swift runtime only, so its objects are linked once more, with the static one.
SWIFT_STATIC = $(shell dirname "$$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')")/swift_static/linux
library:
	$(OPTIMIZED) --product OffprintC -Xlinker -L$(SWIFT_STATIC)
	$(AS_NEEDED) swiftc -emit-library -static-stdlib -module-name OffprintC \
	  -o .build/release/liboffprint.so.0 @.build/release/OffprintC.product/Objects.LinkFileList -L$(STATIC) \
	  $$(pkg-config --libs glib-2.0 sqlite3 cairo pangocairo pangoft2 harfbuzz fontconfig freetype2) -ldl -ldeflate -ljpeg -lwebp -lpng -lz \
	  -use-ld=lld -Xlinker --gc-sections -Xlinker --icf=safe $(RELR) -Xlinker -soname=liboffprint.so.0 \
	  -Xlinker --version-script=$(CURDIR)/Distribution/liboffprint.map -Xlinker -s
	Distribution/bundle --library .build/release

# The Python package: dist/offprint-VERSION-py3-none-manylinux_2_36_ARCH.whl
wheel: library
	Distribution/wheel

# dist/offprint_VERSION_ARCH.deb and dist/offprint-server_VERSION_ARCH.deb, with the libraries of Debian.
deb: build server
	Distribution/deb .build/release

# A container image from the bundle, without a registry: dist/offprint-VERSION-image.tar
image: bundle
	Distribution/image

# make install PREFIX=/usr/local DESTDIR=/somewhere; with the libraries of the system.
PREFIX = /usr/local
install: build server
	Distribution/install .build/release $(PREFIX) $(DESTDIR)

uninstall:
	Distribution/install --remove $(PREFIX) $(DESTDIR)

# Installs and runs what is in dist in bare roots of Debian 12 and 13.
check-dist:
	Distribution/check

# The main job: renders a real page, the second time from the cache.
demo:
	OFFPRINT_SERVICE=0 swift build --use-integrated-swift-driver -c release -Xswiftc -Onone --product offprint --scratch-path .build-demo -Xswiftc -gnone \
	  -Xswiftc -enforce-exclusivity=unchecked -Xswiftc -Xfrontend -Xswiftc -sil-verify-none -Xswiftc -Xfrontend -Xswiftc -disable-llvm-verify -Xcc -g0 -Xcc -O0
	.build-demo/release/offprint render docs/examples/card.html -o card.png --width 600

# The preview page in a browser: builds the service, lets everybody of this machine in, prints the address. The first time takes some minutes.
serve-demo: build
	$(RELEASE_SERVER)
	$(OFFPRINT) serve --no-auth --log-format text

# Attacks that once worked, then 20,000 requests that nobody should send: make hostile HOSTILE='--requests 2000'
hostile:
	$(RELEASE)
	$(RELEASE_SERVER)
	Tests/ServiceHostile/attacks --server .build/release/offprint-server
	Tests/ServiceHostile/run --server .build/release/offprint-server $(HOSTILE)

# Nginx, three services, Redis, an S3-compatible store and a queue on loopback; each is killed in turn: make cluster-demo CLUSTER='--seconds 30'
cluster-demo:
	$(RELEASE)
	$(RELEASE_SERVER)
	Tests/ServiceCluster/run --offprint .build/release/offprint --server .build/release/offprint-server $(CLUSTER)

# Tests that wait for processes or for renders come one after the other: side by side they would keep all threads that the others need.
test:
	swift test --skip 'OffprintTests|ServiceTests|IsolationTests|RemoteTests'
	swift test --no-parallel --filter 'OffprintTests|ServiceTests|IsolationTests|RemoteTests'

# The tests of the engine with a sanitizer: make check SANITIZER=thread; coverage by module: make coverage
SANITIZER = address
# Stacks are measured by addresses, which the address sanitizer's own stacks would change; what caches keep at the end is no leak.
check: export ASAN_OPTIONS = detect_stack_use_after_return=0:detect_leaks=0
check:
	swift test --scratch-path .build-$(SANITIZER) --sanitize=$(SANITIZER) --filter 'CSSTests|DOMTests|LayoutTests|PaintingTests|TypographyTests|ImagesTests|RenderCacheTests|ResourcesTests'

coverage:
	swift test --enable-code-coverage --skip 'OffprintTests|ServiceTests|IsolationTests|RemoteTests'
	Distribution/coverage "$$(swift test --show-codecov-path)"

# Five pages, the command line, the library, growth: make bench AGAINST=/path/of/another/offprint PEERS=/path/of/the/peers/python
bench: build
	Tests/Benchmarks/table $(if $(AGAINST),--against $(AGAINST)) $(if $(PEERS),--peers $(PEERS))
	Tests/Benchmarks/run $(if $(AGAINST),--against $(AGAINST))
	$(OPTIMIZED) --product offprint-benchmark
	.build/release/offprint-benchmark
	Tests/Benchmarks/nesting
	Tests/Benchmarks/layout-growth

# Instructions and allocations of the five pages against those in Tests/Benchmarks/counts.json; needs valgrind.
bench-counts: build
	Tests/Benchmarks/counts --check

# The cache alone: make bench-cache ENTRIES=1000000 FOLDER=/somewhere (kept, and filled up to that many).
ENTRIES = 1000
FOLDER = /tmp/offprint-cache-benchmark
bench-cache:
	$(OPTIMIZED) --product offprint-cache-benchmark
	.build/release/offprint-cache-benchmark $(FOLDER) $(ENTRIES)

# MB/s of parsing and ms of styling, over pages of yours: make bench-parsing PAGES='a.html b.html'
bench-parsing:
	$(OPTIMIZED) --product offprint-parsing-benchmark
	.build/release/offprint-parsing-benchmark $(PAGES)

# docs/css-support.md, from the property table.
docs:
	OFFPRINT_WRITE_DOCS=1 swift test --filter SupportPageTests

# The website, in dist/site: make site CHROMIUM=/usr/bin/chromium also renders the gallery with that browser. SITE_FONTS: folders of fonts that pages
# of the gallery need besides the bundled ones (Chinese, Japanese); pages without their fonts are listed as not rendered.
SITE_PYTHON = $(shell for python in python3 /usr/bin/python3; do $$python -c 'import markdown_it, pygments' 2>/dev/null && echo $$python && break; done)
SITE_FONTS = $(wildcard /usr/share/fonts/opentype/noto)
site:
	[ -x $(OFFPRINT) ] || $(MAKE) build
	$(or $(SITE_PYTHON),python3) Distribution/site/build --offprint $(OFFPRINT) $(foreach folder,$(SITE_FONTS),--fonts $(folder)) \
	  $(if $(CHROMIUM),--chromium $(CHROMIUM))

# Half an hour of libFuzzer for each parser; see Fuzz/README.md: make fuzz TARGETS="fonts jobs" SECONDS=600
TARGETS = html css selectors fonts images deflate svg templates jobs
SECONDS = 1800
fuzz:
	for target in $(TARGETS); do Fuzz/run $$target $(SECONDS) || exit 1; done

# Random pages through the whole pipeline: make fuzz-pages FUZZ='--seed 1 --count 200000 --jobs 2 --timeout 2s'
FUZZ ?= --seed 1 --count 10000 --jobs 2 --timeout 2s
fuzz-pages:
	$(OPTIMIZED) --product offprint-fuzz-pages
	.build/release/offprint-fuzz-pages $(FUZZ)

# Pages and commands that once ended, hung or filled the program; see Tests/Reproductions/run --help.
reproductions: build
	Tests/Reproductions/run

# Records what the pages of Tests/FixtureTests/Fixtures become; look at the difference before it is kept.
fixtures:
	OFFPRINT_RECORD_FIXTURES=1 swift test --filter FixtureTests

format:
	swift format --in-place --recursive Sources Tests Fuzz Package.swift
