// @vitest-environment node
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import { build } from 'vite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { floor, newerThan, withViewportHeights } from './floor.ts'
import { floors } from './floor-data.ts'

const inShop = (code: string) => [...newerThan(floors.shop, code).keys()]

describe('the check of scripts', () => {
  it.each([
    ['a new method of an array', 'list.toSorted()', 'javascript.builtins.Array.toSorted'],
    ['one called where there may be no array', 'list?.toReversed?.()', 'javascript.builtins.Array.toReversed'],
    ['a new static', 'URL.canParse(text)', 'api.URL.canParse_static'],
    ['a new static of the language', 'Promise.withResolvers()', 'javascript.builtins.Promise.withResolvers'],
    ['a static beside an old one', 'AbortSignal.timeout(9)', 'api.AbortSignal.timeout_static'],
    ['a new global', 'new URLPattern()', 'api.URLPattern'],
    ['a new global of the window', 'window.navigation', 'api.Window.navigation'],
    ['a lookbehind', '/(?<!a)b/', 'javascript.regular_expressions.lookbehind_assertion'],
    ['a lookbehind in a string', 'new RegExp("(?<=a)b")', 'javascript.regular_expressions.lookbehind_assertion'],
    ['a new flag of a pattern', '/[a&&b]/v', 'javascript.builtins.RegExp.unicodeSets'],
    ['a class field with an arrow function', 'class A { b = c(() => d) }', 'javascript.classes.public_class_fields'],
    ['a private field with parentheses', 'class A { #b = (c || d) + 1 }', 'javascript.classes.public_class_fields'],
    ['a static block', 'class A { static { a() } }', 'javascript.classes.static.initialization_blocks'],
  ])('finds %s', (_, code, key) => expect(inShop(code)).toContain(key))

  it.each([
    ['old methods', 'list.map(String).at(-1); Object.hasOwn(a, b); structuredClone(a)'],
    ['a key of an object', '({ toSorted: 1, canParse() {} })'],
    ['a static of an own thing', 'shape.any(a); Query.from(a)'],
    ['a member of a newer thing, which has to be reached first', 'query.finished'],
    ['a newer member of an element, which may be a property of our own', 'item.ariaChecked'],
    [
      'class fields without parentheses',
      'class A { #b = new Set; c = !0; d = this.e.bind(this); f = Object.create(null) }',
    ],
    ['named groups', '/(?<year>\\d+)/u'],
  ])('passes %s', (_, code) => expect(inShop(code)).toEqual([]))

  it('checks the admin area against its own floor', () => {
    expect([...newerThan(floors.admin, '/(?<=a)b/; list.toSorted()').keys()]).toEqual([
      'javascript.builtins.Array.toSorted',
    ])
  })
})

it('adds a vh fallback to dvh', () => {
  expect(withViewportHeights('a{top:0;height:calc(100dvh - 9px)}')).toBe(
    'a{top:0;height:calc(100vh - 9px);height:calc(100dvh - 9px)}',
  )
})

describe('the build', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(resolve(tmpdir(), 'floor-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  async function built(code: string, allowed: string[] = []) {
    writeFileSync(resolve(folder, 'page.js'), code)
    const result = await build({
      configFile: false,
      logLevel: 'silent',
      root: folder,
      plugins: [floor(floors.shop, allowed)],
      build: {
        write: false,
        target: 'es2022',
        rolldownOptions: { input: resolve(folder, 'page.js') },
      },
    })
    const [first] = [result].flat()
    return first && 'output' in first ? first.output[0].code : ''
  }

  it('fails on a call that the oldest browser lacks, with its position', async () => {
    await expect(built('console.log(window.list.toSorted())')).rejects.toThrow(
      /javascript\.builtins\.Array\.toSorted: .*list\.toSorted/,
    )
  })

  it('passes allowed features, and fails on an unused entry of the allow list', async () => {
    const allowed = ['javascript.builtins.Array.toSorted']
    await expect(built('console.log(window.list.toSorted())', allowed)).resolves.toContain('toSorted')
    await expect(built('console.log(1)', allowed)).rejects.toThrow(/toSorted is allowed, but nothing uses it/)
  })

  it('keeps private members, which the oldest browser has', async () => {
    const code = await built('window.A = class { #b = 1; #c() { return this.#b } d() { return this.#c() } }')
    expect(code).toMatch(/#\w/)
    expect(code).not.toContain('WeakMap')
  })

  it('fails on a static block, which Safari 15 lacks', async () => {
    await expect(built('window.A = class { static { window.seen = true } }')).rejects.toThrow(
      /initialization_blocks: .*seen/,
    )
  })
})
