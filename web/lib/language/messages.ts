import { groups as chunks, first } from 'virtual:message-groups'
import { type I18n, setupI18n } from '@lingui/core'
import type { Lang } from '@qatra/contract/lib/lang'
import type { MessageFile } from '@qatra/contract/message-key'

/** `shop` has the messages of the shop's first load; every other message file is its own group. */
export type MessageGroup = 'shop' | MessageFile

// Plain `ar-BH` uses Arabic-Indic digits; prices and quantities are shown in Western ones.
const formatOf: Record<Lang, string> = { ar: 'ar-BH-u-nu-latn', en: 'en-BH' }

const instances = new Map<Lang, I18n>()
const loaded = new Set<string>()
const inUse = new Set<MessageGroup>([first])

/** Initially empty; a missing message shows its key. */
function instanceOf(lang: Lang): I18n {
  const existing = instances.get(lang)
  if (existing) return existing
  const created = setupI18n({
    locale: lang,
    locales: formatOf[lang],
    messages: { [lang]: {} },
    missing: (_, key) => key,
  })
  instances.set(lang, created)
  return created
}

async function fetchGroup(lang: Lang, group: string) {
  const name = `${group}.${lang}`
  if (loaded.has(name)) return
  const load = chunks[name]
  if (!load) throw new Error(`There is no message group ${name}`)
  instanceOf(lang).load(lang, (await load()).messages)
  loaded.add(name)
}

/** All messages of a language, each group loaded once; used by the server. */
export async function loadMessages(lang: Lang): Promise<I18n> {
  const names = Object.keys(chunks).filter((name) => name.endsWith(`.${lang}`) && !loaded.has(name))
  if (names.length > 0) await Promise.all(names.map((name) => fetchGroup(lang, name.slice(0, -lang.length - 1))))
  return instanceOf(lang)
}

/** The messages of a language that the pages so far use; used by the browser. */
export async function loadUsedMessages(lang: Lang): Promise<I18n> {
  const i18n = instanceOf(lang)
  await Promise.all([...inUse].map((group) => fetchGroup(lang, group)))
  return i18n
}

/** Loads groups in every requested language, and in any language requested later. */
export async function loadMessageGroups(groups: readonly MessageGroup[]): Promise<void> {
  for (const group of groups) inUse.add(group)
  await Promise.all([...instances.keys()].flatMap((lang) => groups.map((group) => fetchGroup(lang, group))))
}
