import type { App } from '../runtime.ts'
import { purgeRateLimits } from './rate-limiter.ts'

export function rateLimitJobs(app: App) {
  app.queue.handle('old-rate-limits', { every: '10 * * * *' }, () => purgeRateLimits(app))
}
