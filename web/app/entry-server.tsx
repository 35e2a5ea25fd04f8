import type { Lang } from '@qatra/contract/lang'
import { dehydrate } from '@tanstack/react-query'
import { createMemoryHistory } from '@tanstack/react-router'
import { renderToString } from 'react-dom/server'
import { App } from './App.tsx'
import type { ReadKey } from './call.ts'
import { documentOf } from './document.ts'
import { headOf } from './head.ts'
import { loadWords, translateWith } from './i18n.tsx'
import { createQueries } from './queries.ts'
import { createAppRouter } from './router.ts'
import { isSignedOut } from './session.ts'

export interface RenderRequest {
  /** Path and query. */
  url: string
  lang: Lang
  /** Public address of the shop, for canonical links. */
  origin: string
  /** Answers a GET with the person's own rights, without a network. */
  callInProcess(endpoint: { method: 'GET'; path: string }, input: ReadKey[1]): Promise<unknown>
}

export interface Rendered {
  status: number
  /** Where a guard sends the visitor; then there is no page. */
  redirect?: string
  html: string
}

export async function render({ url, lang, origin, callInProcess }: RenderRequest): Promise<Rendered> {
  const words = await loadWords(lang)
  const queries = createQueries(async ({ queryKey }) => {
    // Only `read` makes keys that reach the default queryFn.
    const [path, input] = queryKey as unknown as ReadKey
    return await callInProcess({ method: 'GET', path }, input).catch((error: unknown) => {
      if (isSignedOut(path, error)) return null
      throw error
    })
  })
  const router = createAppRouter({ queries, history: createMemoryHistory({ initialEntries: [url] }) })
  await router.load()

  const result = router._serverResult
  if (result?.type === 'redirect') {
    const { headers, status } = router.resolveRedirect(result.redirect)
    return { status, redirect: headers.get('Location') ?? '/', html: '' }
  }
  const { matches, location } = router.state
  const failed = matches.find(({ status }) => status === 'error')
  if (failed) throw failed.error

  const last = matches.at(-1)
  const request = {
    queries,
    params: last?.params ?? {},
    search: { ...location.search },
    href: location.pathname + location.searchStr,
    t: translateWith(words),
    lang,
  }
  const { head, status } = headOf(matches, request)
  const body = renderToString(<App router={router} queries={queries} words={words} />)
  const html = documentOf({
    lang,
    head,
    address: { origin, path: head.canonical ?? location.pathname },
    files: last?.staticData ?? {},
    body,
    state: dehydrate(queries),
  })
  queries.clear()
  return { status, html }
}
