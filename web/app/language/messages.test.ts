import { readdirSync, readFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { adminPages } from '@qatra/contract/admin'
import type { AdminPage } from '@qatra/contract/admin-page'
import { describe, expect, it } from 'vitest'
import { translateWith } from '../../lib/language/i18n.tsx'
import { loadMessageGroups, loadUsedMessages } from '../../lib/language/messages.ts'
import { adminFirstLoad, firstLoad } from '../../vite/messages.ts'

const web = resolve(import.meta.dirname, '../..')
const folder = resolve(web, '../contract/messages')
const textOf = (file: string) => readFileSync(resolve(web, file), 'utf8')

const fileOfKey = new Map<string, string>()
for (const name of readdirSync(folder).filter((one) => one.endsWith('.ar.json'))) {
  for (const key of Object.keys(JSON.parse(readFileSync(resolve(folder, name), 'utf8')))) {
    fileOfKey.set(key, name.replace('.ar.json', ''))
  }
}

const atOnce = /from '(\.[^']+\.tsx?)'/g
const atOnceOrLater = /(?:from |import\()'(\.[^']+\.tsx?)'/g

/** A source with everything it imports. */
function sourcesOf(source: string, imports: RegExp, found = new Set<string>()): Set<string> {
  if (found.has(source)) return found
  found.add(source)
  for (const [, path] of textOf(source)
    .replaceAll(/^import type [^']*'[^']*'/gm, '')
    .matchAll(imports)) {
    if (path) sourcesOf(relative(web, resolve(web, dirname(source), path)), imports, found)
  }
  return found
}

/** Message files of the keys in the sources, also of key prefixes: `order.status.${status}`. */
function messageFilesOf(sources: Iterable<string>): Set<string> {
  const found = new Set<string>()
  for (const source of sources) {
    for (const [, begin = '', rest] of textOf(source).matchAll(/['`]([a-zA-Z]+\.[\w.-]*)(\$\{)?/g)) {
      for (const [key, file] of fileOfKey) if (rest ? key.startsWith(begin) : key === begin) found.add(file)
    }
  }
  return found
}

/** Groups that a source loads by a call, with one of its parts. */
const groupsLoadedBy = (source: string) =>
  [...textOf(source).matchAll(/loadMessageGroups\(\[([^\]]*)\]\)/g)].flatMap(
    ([, names = '']) => names.match(/[\w-]+/g) ?? [],
  )

const routes = 'app/routes/routes.storefront.tsx'
const lazyPages = [
  ...textOf(routes).matchAll(
    /(?:lazy|phone)Page\(\s*'([^']+)',\s*\(\) => import\('[^']+'\),?\s*(?:\[([^\]]*)\])?,?\s*\)/g,
  ),
].map(([, source = '', listed = '']) => ({ source, groups: [...listed.matchAll(/[\w-]+/g)].map(String) }))
/** The home page is part of the first load. */
const pages = [{ source: 'products/HomePage.tsx', groups: [] }, ...lazyPages]
const shell = sourcesOf('app/entry-client.tsx', atOnce)

describe('messages by page', () => {
  it('finds every page of the route table', () => {
    expect(lazyPages).toHaveLength(textOf(routes).match(/(?:lazy|phone)Page\(\s*'/g)?.length ?? 0)
    expect(lazyPages.length).toBeGreaterThan(10)
  })

  it.each(pages)('loads all messages of $source with the page', ({ source, groups }) => {
    for (const imports of [atOnce, atOnceOrLater]) {
      const sources = sourcesOf(source, imports)
      const loaded = [...firstLoad, ...groups, ...[...sources].flatMap(groupsLoadedBy)]
      expect(loaded).toEqual(expect.arrayContaining([...messageFilesOf(sources)]))
    }
  })

  it('loads all messages of a page of the admin area with the page', () => {
    const declared: readonly AdminPage[] = adminPages
    for (const { file, messages = [] } of declared) {
      if (!file) continue
      const loaded = [...adminFirstLoad, ...messages, ...groupsLoadedBy(file)]
      expect(loaded, file).toEqual(expect.arrayContaining([...messageFilesOf(sourcesOf(file, atOnceOrLater))]))
    }
    const loaded = [...adminFirstLoad, ...groupsLoadedBy('invitations/Invited.tsx')]
    expect(loaded).toEqual(expect.arrayContaining([...messageFilesOf(sourcesOf('admin/AdminLayout.tsx', atOnce))]))
  })

  it('has the messages of the page frame in the first load', () => {
    expect(shell).toContain('cart/FloatingCart.tsx')
    expect([...firstLoad, ...groupsLoadedBy('invitations/Invited.tsx')]).toEqual(
      expect.arrayContaining([...messageFilesOf(shell)]),
    )
  })
})

describe('loading messages', () => {
  it('shows a key until a page loads its group, then every language requested before or after', async () => {
    const arabic = translateWith(await loadUsedMessages('ar'))
    expect(arabic('cart.empty')).not.toBe('cart.empty')
    expect(arabic('about.title')).toBe('about.title')
    await loadMessageGroups(['pages'])
    expect(arabic('about.title')).not.toBe('about.title')
    const english = translateWith(await loadUsedMessages('en'))
    expect(english('about.title')).toMatch(/[a-z] /)
  })
})
