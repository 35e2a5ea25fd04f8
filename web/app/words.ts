import { words as chunks, first } from 'virtual:words'
import { type I18n, setupI18n } from '@lingui/core'
import type { Lang } from '@qatra/contract/lang'
import type { MessageFile } from './message-key.ts'

/** `shop`: the words of the shop's first load, wherever it begins. Every other file of words is a group of its own. */
export type WordGroup = 'shop' | MessageFile

// Plain `ar-BH` writes Arabic-Indic digits; prices and quantities are in Western ones.
const formatOf: Record<Lang, string> = { ar: 'ar-BH-u-nu-latn', en: 'en-BH' }

const instances = new Map<Lang, I18n>()
const here = new Set<string>()
const inUse = new Set<WordGroup>([first])

/** Empty at first; a key that is not there shows itself. */
function instanceOf(lang: Lang): I18n {
  const known = instances.get(lang)
  if (known) return known
  const made = setupI18n({
    locale: lang,
    locales: formatOf[lang],
    messages: { [lang]: {} },
    missing: (_, key) => key,
  })
  instances.set(lang, made)
  return made
}

async function fetchGroup(lang: Lang, group: string) {
  const name = `${group}.${lang}`
  if (here.has(name)) return
  const load = chunks[name]
  if (!load) throw new Error(`There is no group of words called ${name}`)
  instanceOf(lang).load(lang, (await load()).messages)
  here.add(name)
}

/** Every word of a language, each fetched once: the server's. */
export async function loadWords(lang: Lang): Promise<I18n> {
  const names = Object.keys(chunks).filter((name) => name.endsWith(`.${lang}`) && !here.has(name))
  if (names.length > 0) await Promise.all(names.map((name) => fetchGroup(lang, name.slice(0, -lang.length - 1))))
  return instanceOf(lang)
}

/** The words of a language that the pages so far use: the browser's. */
export async function loadWordsInUse(lang: Lang): Promise<I18n> {
  const words = instanceOf(lang)
  await Promise.all([...inUse].map((group) => fetchGroup(lang, group)))
  return words
}

/** Before a page is shown: its groups in every language that was asked for, and in any other one asked for from now on. */
export async function needWords(groups: readonly WordGroup[]): Promise<void> {
  for (const group of groups) inUse.add(group)
  await Promise.all([...instances.keys()].flatMap((lang) => groups.map((group) => fetchGroup(lang, group))))
}
