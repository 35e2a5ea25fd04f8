import { useQueryClient } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { type Translate, useLanguage } from '../../lib/language/i18n.tsx'
import type { Head, HeadRequest, Page } from '../page.ts'

interface Match {
  /** The parsed query: `vendor` is a number here and a string in the location. */
  search: object
  staticData: { page?: () => Page | undefined }
  status: string
  _notFound?: boolean
}

const isMissing = (match: Match) => match.status === 'notFound' || match._notFound === true

/** Head and status of the current page; after `notFound()` those of the not-found page. */
export function headOf(matches: readonly Match[], request: HeadRequest): { head: Head; status: number } {
  const { t } = request
  const missing = matches.find(isMissing)
  if (missing) {
    const title = missing.staticData.page?.()?.missing?.title(t) ?? t('shell.title.notFound')
    return { head: { title: named(title, t), hidden: true }, status: 404 }
  }
  if (matches.some(({ status }) => status === 'error')) {
    return { head: { title: named(t('shell.title.error'), t), hidden: true }, status: 500 }
  }
  // A panel with its own route has no title; use the title of its page.
  const match = matches.filter(({ staticData }) => staticData.page).at(-1)
  const page = match?.staticData.page?.()
  if (!page) return { head: { title: t('shell.brand'), hidden: true }, status: 404 }
  const head = page.head({ ...request, search: { ...match?.search } })
  return { head: { ...head, title: named(head.title, t) }, status: page.status ?? 200 }
}

/** "Your orders · Qatra"; a title that contains the shop's name is unchanged. */
const named = (title: string, t: Translate) =>
  title.includes(t('shell.brand')) ? title : `${title} · ${t('shell.brand')}`

/** Updates title and description with the page and its language; the other tags matter to the first load only. */
export function useHead() {
  const queries = useQueryClient()
  const { t, lang } = useLanguage()
  const matches = useRouterState({ select: (state) => state.matches })
  const location = useRouterState({ select: (state) => state.location })
  useEffect(() => {
    const params = matches.at(-1)?.params ?? {}
    const href = location.pathname + location.searchStr
    const { head } = headOf(matches, { queries, params, search: { ...location.search }, href, t, lang })
    document.title = head.title
    document.querySelector('meta[name="description"]')?.setAttribute('content', head.description ?? '')
  }, [matches, location, queries, t, lang])
}
