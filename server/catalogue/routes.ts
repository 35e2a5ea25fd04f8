import type { App } from '../platform/runtime.ts'
import type { Reference } from '../platform/reference.ts'
import type { Catalogue } from './queries.ts'

export function catalogueRoutes(_app: App, _catalogue: Reference<Catalogue>) {}
