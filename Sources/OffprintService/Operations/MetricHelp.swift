/// The `HELP` lines of the metrics. https://prometheus.io/docs/instrumenting/exposition_formats/
enum MetricHelp {
  /// Nil for a metric that is not listed.
  static func text(_ name: String) -> String? { texts.first { $0.name == name }?.help }

  private static let texts: [(name: String, help: String)] = [
    ("offprint_cache_bytes", "Bytes of images in the cache on disk."),
    ("offprint_cache_entries", "Images in the cache on disk."),
    ("offprint_cache_memory_bytes", "Bytes of images cached in memory."),
    ("offprint_connections", "Open connections."),
    ("offprint_errors_total", "Error responses by code."),
    ("offprint_fallbacks_total", "Fallback images in responses, by preset and the code of the error."),
    ("offprint_flights", "Renders in progress, each of which may serve several requests."),
    ("offprint_image_bytes", "Sizes of rendered images in bytes."),
    ("offprint_images_total", "Images in responses: from the cache, rendered, or shared with another request."),
    ("offprint_picture_bytes", "The same as offprint_image_bytes, which replaces it."),
    ("offprint_pictures_total", "The same as offprint_images_total, which replaces it."),
    ("offprint_queue_length", "Requests that wait for a worker."),
    ("offprint_refused_connections_total", "Connections refused before a route handled them, by code."),
    ("offprint_render_duration_seconds", "Time to render an image."),
    ("offprint_renders_total", "Renders by outcome and code."),
    ("offprint_request_duration_seconds", "Time to respond, by route."),
    ("offprint_requests_total", "Requests by route, method and status."),
    ("offprint_resident_bytes", "Memory of the service's own process in bytes, without its workers."),
    ("offprint_spans_total", "Spans by outcome: exported, failed, or dropped because the queue was full."),
    ("offprint_stage_duration_seconds", "Time of each stage of a render."),
    ("offprint_tier_dropped_total", "Images that were not written to the shared store."),
    ("offprint_tier_failures_total", "Failed operations of the shared store."),
    ("offprint_tier_reads_total", "Lookups in the shared store by result."),
    ("offprint_tier_up", "1 if the shared store can be used."),
    ("offprint_tier_waiting", "Images that wait to be written to the shared store."),
    ("offprint_tier_writes_total", "Images written to the shared store."),
    ("offprint_webhook_retries_total", "Repeated attempts to deliver webhooks."),
    ("offprint_webhooks_total", "Webhooks by outcome: delivered or failed."),
    ("offprint_webhooks_waiting", "Webhooks of renders in progress, and those that are being delivered."),
    ("offprint_worker_ends_total", "Worker processes that ended, by cause."),
    ("offprint_worker_processes", "Worker processes."),
    ("offprint_worker_starts_total", "Worker processes that were started."),
    ("offprint_workers", "Pages that can be rendered at the same time."),
  ]
}
