/**
 * How Node runs the plane. A decision leaves some tens of kilobytes of short-lived text behind; with V8's small default
 * the young generation is collected so often that a sixth of the time goes there.
 */
export const planeFlags: readonly string[] = ['--enable-source-maps', '--initial-old-space-size=256', '--max-semi-space-size=64'];
