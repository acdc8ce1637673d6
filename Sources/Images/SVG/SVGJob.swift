import CoreTypes

/// An SVG that may take long.
enum SVGJob {
  private static let seconds = 4

  /// - Throws: `limitExceeded` after some seconds, or at once where too many others still run; `timedOut` at the deadline.
  static func draw(_ image: VectorImage, into bitmap: Bitmap, _ deadline: Deadline) throws(ImageError) -> Bitmap {
    let result = LeftResult<Result<Bitmap, ImageError>>()
    let most = Duration.seconds(seconds), time = min(most, deadline.remaining ?? most)
    let isDone = LeavableThread.run(for: time) {
      var bitmap = bitmap
      result.value = Result { () throws(ImageError) in
        try image.fill(&bitmap)
        return bitmap
      }
    }
    guard isDone == true, let drawn = result.value else {
      try DecodingTask(limits: Limits(), deadline: deadline).check()
      throw ImageError(.limitExceeded, "The SVG takes longer than \(seconds) s to draw.")
    }
    return try drawn.get()
  }
}
