import type { Plugin } from 'vite'
import { cssKeys, type Floor, isNewer } from './floor-data.ts'

const known = new Set(cssKeys)
const units: Record<string, string> = {
  dvh: 'viewport_percentage_units_dynamic',
  dvw: 'viewport_percentage_units_dynamic',
  svh: 'viewport_percentage_units_small',
  lvh: 'viewport_percentage_units_large',
  cqw: 'container_query_length_units',
  cqi: 'container_query_length_units',
}

/** Keys of the features that one selector, declaration or at-rule uses. */
function keysOf(text: string, isBlock: boolean): string[] {
  const at = /^@([\w-]+)(.*)/s.exec(text)
  if (at) {
    const [, name = '', condition = ''] = at
    const features = [...condition.matchAll(/\(([\w-]+)/g)].map(([, feature]) => `css.at-rules.media.${feature}`)
    return [`css.at-rules.${name}`, ...(name === 'media' ? features : [])]
  }
  if (isBlock) return [...text.replace(/\\./g, '').matchAll(/::?([a-z-]+)/g)].map(([, name]) => `css.selectors.${name}`)
  const [, property = '', value = ''] = /^([\w-]+):(.*)$/s.exec(text) ?? []
  const measures = [...value.matchAll(/\d(d?s?l?v[hw]|cq[wi])\b/g)].map(
    ([, unit = '']) => `css.types.length.${units[unit]}`,
  )
  return [
    `css.properties.${property}`,
    ...[...value.matchAll(/([a-z-]+)\(/g)].flatMap(([, name]) => [`css.types.${name}`, `css.types.color.${name}`]),
    ...measures,
  ]
}

/** The features newer than the floor that a style sheet uses outside of `@supports`, as keys of browser-compat-data. */
export function newerCssThan(floor: Floor, css: string): Map<string, string> {
  const found = new Map<string, string>()
  const open: string[] = []
  for (const [, text = '', end] of css
    .replace(/\/\*.*?\*\//gs, '')
    .matchAll(/((?:"[^"]*"|'[^']*'|\\.|[^{};"'\\])*)([{};])/gs)) {
    const piece = text.trim()
    if (end === '{') open.push(piece)
    // Features inside `@supports` are safe, and `@property` only declares.
    if (piece !== '' && !open.some((one) => /^@(supports|property)/.test(one)))
      for (const key of keysOf(piece, end === '{'))
        if (known.has(key) && isNewer(key, floor) && !found.has(key)) found.set(key, piece.slice(0, 90))
    if (end === '}') open.pop()
  }
  return found
}

/** `dvh` where the browser has it, `vh` where not. */
export const withViewportHeights = (css: string) =>
  css.replace(/(?<=[{;])[\w-]+:[^{};]*\ddvh[^{};]*/g, (one) => `${one.replaceAll('dvh', 'vh')};${one}`)

/** Adds a `vh` fallback to each `dvh`; no other step does. */
export function viewportHeights(): Plugin {
  return {
    name: 'qatra:viewport-heights',
    apply: 'build',
    generateBundle(_, bundle) {
      for (const one of Object.values(bundle))
        if (one.type === 'asset' && one.fileName.endsWith('.css')) one.source = withViewportHeights(String(one.source))
    },
  }
}
