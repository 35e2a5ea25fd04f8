import { slotOf, slotWords } from '@qatra/contract/calendar/slot'
import type { Lang } from '@qatra/contract/lib/lang'
import { fold } from '@qatra/contract/lib/text'
import { type CannedReply, cannedText, fillIn } from '@qatra/contract/whatsapp/inbox/canned-replies'
import type { ConversationDetail } from '@qatra/contract/whatsapp/inbox/inbox'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useId, useState } from 'react'
import { useUser } from '../../../lib/current-user.ts'
import { useLanguage } from '../../../lib/language/i18n.tsx'
import { classes } from '../../../ui/class-names.ts'
import { shortId } from '../contact-panel/order-words.ts'
import { cannedQuery } from '../inbox/inbox-cache.ts'

const MOST = 6

/** The customer's stored language, else the script of their last message, else the fallback. */
export function languageOf(detail: ConversationDetail | undefined, otherwise: Lang): Lang {
  if (detail?.language) return detail.language
  const lastText = detail?.last?.direction === 'incoming' ? detail.last.text : ''
  if (/\p{Script=Arabic}/u.test(lastText)) return 'ar'
  return /\p{Script=Latin}/u.test(lastText) ? 'en' : otherwise
}

function filled(reply: CannedReply, to: Lang, detail: ConversationDetail | undefined, agent: string | null): string {
  const open = detail?.orders.find(({ status }) => status !== 'delivered' && status !== 'cancelled')
  const { text, in: lang } = cannedText(reply, to)
  return fillIn(text, {
    name: detail?.account?.name ?? detail?.name ?? null,
    agent,
    order: open ? shortId(open.id) : null,
    date: open ? slotWords(slotOf(open), lang, 'long') : null,
  })
}

/** Suggests canned replies that match the text after `/`. */
export function useSuggestions(text: string, detail: ConversationDetail | undefined, insert: (words: string) => void) {
  const { lang } = useLanguage()
  const user = useUser()
  const id = useId()
  const [at, setAt] = useState(0)
  const [dismissed, setDismissed] = useState('')
  const typed = /^\/(\S{0,30})$/.exec(text)?.[1]
  const { data } = useQuery({ ...cannedQuery(), enabled: typed !== undefined })
  const sought = fold(typed ?? '')
  const to = languageOf(detail, lang)
  const found =
    typed === undefined || text === dismissed
      ? []
      : (data?.items ?? [])
          .filter((one) => one.isActive)
          .filter(({ shortcut, title, titleAr }) =>
            [shortcut, title, titleAr].some((word) => fold(word).includes(sought)),
          )
          // Those without a text in the customer's language come last.
          .sort((one, other) => Number(cannedText(one, to).in !== to) - Number(cannedText(other, to).in !== to))
          .slice(0, MOST)
  const isOpen = found.length > 0
  const active = Math.min(at, found.length - 1)
  const choose = (reply: CannedReply) => {
    setAt(0)
    insert(filled(reply, to, detail, user?.name ?? null))
  }
  function onKey(event: KeyboardEvent): boolean {
    if (!isOpen) return false
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const chosen = found[active]
    if (step !== undefined) setAt((active + step + found.length) % found.length)
    else if ((event.key === 'Enter' || event.key === 'Tab') && chosen) choose(chosen)
    else if (event.key === 'Escape') setDismissed(text)
    else return false
    event.preventDefault()
    return true
  }
  return {
    id,
    found,
    active,
    to,
    choose,
    onKey,
    isNothing: typed !== undefined && data !== undefined && !isOpen && text !== dismissed,
    fieldProps: isOpen
      ? { 'aria-autocomplete': 'list' as const, 'aria-controls': id, 'aria-activedescendant': `${id}-${active}` }
      : {},
  }
}
type Suggestions = ReturnType<typeof useSuggestions>

export function CannedSuggestions({ suggestions }: { suggestions: Suggestions }) {
  const { t } = useLanguage()
  const { id, found, active, to, choose, isNothing } = suggestions
  const box = 'appear absolute inset-x-0 bottom-full z-20 mb-1.5 rounded-m bg-surface p-1.5 shadow-float'
  if (isNothing) return <p className={classes(box, 'px-3.5 py-2.5 text-ink-2')}>{t('inbox.canned.none')}</p>
  if (found.length === 0) return null
  return (
    <div className={box}>
      <p className="px-2.5 py-1 text-caption text-ink-3">{t(`inbox.canned.in.${to}`)}</p>
      <div id={id} role="listbox" aria-label={t('inbox.canned')}>
        {found.map((reply, at) => {
          const { text, in: textLang } = cannedText(reply, to)
          return (
            // The text field keeps the focus and handles the keys; a click selects an option.
            // biome-ignore lint/a11y/useKeyWithClickEvents: as above
            <div
              key={reply.id}
              id={`${id}-${at}`}
              role="option"
              tabIndex={-1}
              aria-selected={at === active}
              className={classes(
                'grid min-h-9 cursor-pointer grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-3 rounded-s px-2.5 py-1.5 max-md:min-h-tap',
                at === active ? 'bg-gulf-soft' : 'hover:bg-well',
              )}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => choose(reply)}
            >
              <bdi className="font-strong text-gulf">/{reply.shortcut}</bdi>
              <span className="flex min-w-0 gap-x-2">
                {textLang !== to && <span className="flex-none text-clay">{t(`inbox.canned.only.${textLang}`)}</span>}
                <bdi className="max-w-1/2 flex-none truncate">{textLang === 'ar' ? reply.titleAr : reply.title}</bdi>
                {/* `dir` truncates the text at its own end. */}
                <span dir={textLang === 'ar' ? 'rtl' : 'ltr'} className="min-w-0 truncate text-ink-3">
                  {text}
                </span>
              </span>
            </div>
          )
        })}
      </div>
    </div>
  )
}
