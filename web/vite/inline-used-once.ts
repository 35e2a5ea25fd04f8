import { minify } from '@swc/core'
import type { Plugin } from 'vite'

/**
 * Runs before Vite's own minifier, which does not inline functions and constants that are used once: 0.7 KB of the first
 * visit.
 */
export function inlineUsedOnce(): Plugin {
  return {
    name: 'qatra:inline-used-once',
    apply: 'build',
    renderChunk: {
      order: 'post',
      async handler(code) {
        const options = { passes: 3, ecma: 2022, toplevel: true } as const
        const smaller = await minify(code, { module: true, ecma: 2022, compress: options, mangle: { toplevel: true } })
        return { code: smaller.code, map: null }
      },
    },
  }
}
