import ArgumentParser

// Option groups in the state that the parser produces if no option is specified. A property wrapper must not be read before it has a value.

extension PageOptions {
  static var unset: PageOptions {
    var group = PageOptions()
    (group.width, group.height, group.windowSize, group.maxWidth, group.scale) = (nil, nil, nil, nil, nil)
    (group.viewportHeight, group.time) = (nil, nil)
    (group.background, group.transparent, group.selector, group.clip, group.css) = (nil, false, nil, nil, [])
    (group.template, group.set, group.data, group.colorScheme, group.media) = (nil, [], nil, nil, nil)
    (group.mediaFeatures, group.glyphPositions, group.pageSize, group.margin) = ([], nil, nil, nil)
    (group.baseURL, group.allowFiles, group.timeout, group.tags) = (nil, [], nil, [])
    (group.strict, group.failOn, group.saveHTML) = (false, [], nil)
    group.templates = TemplateOptions()
    group.templates.folders = []
    group.encoding = .unset
    group.limits = .unset
    return group
  }

  mutating func set(_ name: String, _ value: FastPathArguments.Value) -> Bool {
    switch name {
    case "-w", "--width": value.become(&width)
    case "--height": value.become(&height)
    case "--window-size": value.become(&windowSize)
    case "--viewport-height": value.become(&viewportHeight)
    case "--max-width": value.become(&maxWidth)
    case "--scale", "--device-scale-factor", "--zoom": value.become(&scale)
    case "--background": value.become(&background)
    case "--transparent", "--omit-background": value.switchOn(&transparent)
    case "--selector": value.become(&selector)
    case "--clip": value.become(&clip)
    case "--css", "--stylesheet": value.join(&css)
    case "--template": value.become(&template)
    case "--templates": value.join(&templates.folders)
    case "--set": value.join(&set)
    case "--data": value.become(&data)
    case "--color-scheme": value.become(&colorScheme)
    case "--media": value.become(&media)
    default: setRest(name, value)
    }
  }

  private mutating func setRest(_ name: String, _ value: FastPathArguments.Value) -> Bool {
    switch name {
    case "--base-url": value.become(&baseURL)
    case "--at": value.become(&time)
    case "--media-feature": value.join(&mediaFeatures)
    case "--glyph-positions": value.become(&glyphPositions)
    case "--page-size": value.become(&pageSize)
    case "--margin": value.become(&margin)
    case "--allow-files": value.join(&allowFiles)
    case "--timeout": value.become(&timeout)
    case "--tag": value.join(&tags)
    case "--strict": value.switchOn(&strict)
    case "--fail-on": value.join(&failOn)
    case "--save-html": value.become(&saveHTML)
    case "--format": value.become(&encoding.format)
    case "--quality": value.become(&encoding.quality)
    case "--lossless": value.switchOn(&encoding.lossless)
    case "--progressive": value.switchOn(&encoding.progressive)
    case "--icc": value.become(&encoding.profile)
    case "--compression": value.become(&encoding.compression)
    default: encoding.setAnimation(name, value) || limits.set(name, value)
    }
  }
}

extension EncodingOptions {
  static var unset: EncodingOptions {
    var group = EncodingOptions()
    (group.format, group.quality, group.lossless, group.progressive, group.compression) = (nil, nil, false, false, nil)
    group.profile = nil
    (group.animate, group.duration, group.framesPerSecond, group.loop, group.poster) = (false, nil, nil, nil, nil)
    group.dither = false
    return group
  }

  mutating func setAnimation(_ name: String, _ value: FastPathArguments.Value) -> Bool {
    switch name {
    case "--animate": value.switchOn(&animate)
    case "--duration": value.become(&duration)
    case "--fps": value.become(&framesPerSecond)
    case "--loop": value.become(&loop)
    case "--poster": value.become(&poster)
    case "--dither": value.switchOn(&dither)
    default: false
    }
  }
}

extension LimitOptions {
  static var unset: LimitOptions {
    var group = LimitOptions()
    // Key paths read before they write, so they cannot set these.
    (group.inputBytes, group.nodes, group.depth, group.styleRules) = (nil, nil, nil, nil)
    (group.imageSide, group.imagePixels, group.resourceBytes, group.resources) = (nil, nil, nil, nil)
    group.loadedBytes = nil
    (group.frames, group.animationPixels) = (nil, nil)
    (group.decodedPixels, group.layoutDepth, group.decodedBytes, group.layerBytes) = (nil, nil, nil, nil)
    (group.boxes, group.fragments, group.pathSteps, group.templateSteps) = (nil, nil, nil, nil)
    return group
  }

  mutating func set(_ name: String, _ value: FastPathArguments.Value) -> Bool {
    guard name.hasPrefix("--max-"), let row = Self.table.first(where: { $0.names.contains { "--\($0)" == name } }) else { return false }
    return value.become(&self[keyPath: row.option])
  }
}

extension EngineOptions {
  static var unset: EngineOptions {
    var group = EngineOptions()
    (group.cache, group.cacheMaxSize, group.cacheMaxAge, group.noCache, group.refresh) = (nil, nil, nil, false, false)
    (group.fonts, group.network, group.isolation, group.tier) = (FontOptions(), NetworkOptions(), IsolationOptions(), TierOptions())
    (group.fonts.fonts, group.fonts.systemFonts, group.network.hosts) = ([], false, [])
    (group.isolation.isolate, group.isolation.memory, group.isolation.renders, group.isolation.dispensable) = (false, nil, nil, [])
    (group.tier.address, group.tier.isReadOnly) = (nil, false)
    return group
  }

  mutating func set(_ name: String, _ value: FastPathArguments.Value) -> Bool {
    switch name {
    case "--fonts", "--font-path": value.join(&fonts.fonts)
    case "--system-fonts": value.switchOn(&fonts.systemFonts)
    case "--allow-host": value.join(&network.hosts)
    case "--isolate": value.switchOn(&isolation.isolate)
    case "--worker-memory": value.become(&isolation.memory)
    case "--worker-renders": value.become(&isolation.renders)
    case "--allow-missing-layer": value.join(&isolation.dispensable)
    case "--tier": value.become(&tier.address)
    case "--tier-read-only": value.switchOn(&tier.isReadOnly)
    case "--cache": value.become(&cache)
    case "--cache-max-size": value.become(&cacheMaxSize)
    case "--cache-max-age": value.become(&cacheMaxAge)
    case "--no-cache": value.switchOn(&noCache)
    case "--refresh": value.switchOn(&refresh)
    default: false
    }
  }
}
