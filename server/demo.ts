// The only place where the product loads simulators and demo data: a shop with real providers and customers of its own
// never does.

export const loadSimulators = () => import('../demo/simulators/simulators.ts')

export const loadDemoData = () => import('../demo/data/seed.ts')
