import { inLang } from '@qatra/contract/lib/lang'
import {
  type AliasTarget,
  type BotAnswer,
  listAliasTargets,
  listBotAliases,
  listBotAnswers,
  listBotMisses,
  topicOf,
} from '@qatra/contract/whatsapp/bot'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { read } from '../../../lib/api-client.ts'
import { type Translate, useLanguage } from '../../../lib/language/i18n.tsx'

export const answersQuery = listBotAnswers

/** The question of an answer: the name of its topic, or the title by staff. */
export function questionOf(t: Translate, { key, title }: Pick<BotAnswer, 'key' | 'title'>): string {
  const topic = topicOf(key)
  return topic === null ? (title ?? '') : t(`assistant.topic.${topic}`)
}

/** The words of a message that can be a phrase: without what is masked, figures and marks. */
export const phraseIn = (text: string): string =>
  text
    .split(/[\s?؟!,،;&+/{}]+/)
    .filter((word) => /\p{L}/u.test(word))
    .slice(0, 8)
    .join(' ')
    .slice(0, 60)
    .trim()

/** All that a name can mean, with its name in the language of the page; undefined while loading. */
export function useTargets() {
  const { t, lang } = useLanguage()
  const { data } = useQuery(read(listAliasTargets))
  const labelOf = ({ type, target, name, nameAr }: AliasTarget) =>
    type === 'answer' ? questionOf(t, { key: target, title: name }) : inLang(lang, name, nameAr)
  return data?.map((one) => ({
    ...one,
    value: `${one.type} ${one.target}`,
    label: labelOf(one),
    hint: t(`assistant.type.${one.type}`),
    also: `${one.name} ${one.nameAr ?? ''}`,
  }))
}

/** Reads everything of the assistant again after a change. */
export function useRenewAssistant() {
  const queries = useQueryClient()
  return () =>
    Promise.all(
      [listBotAnswers, listBotAliases, listBotMisses, listAliasTargets].map(({ path }) =>
        queries.invalidateQueries({ queryKey: [path] }),
      ),
    )
}
