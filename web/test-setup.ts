import { configure } from '@testing-library/dom'

// Chunks load slowly on a busy machine; the runner's own limit ends a test that hangs.
configure({ asyncUtilTimeout: 60_000 })

// jsdom has no layout, so nothing changes its size.
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
}
