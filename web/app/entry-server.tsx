import { adminPageAt } from '@qatra/contract/admin'
import type { Lang } from '@qatra/contract/lib/lang'
import { dehydrate } from '@tanstack/react-query'
import { createMemoryHistory } from '@tanstack/react-router'
import { renderToString } from 'react-dom/server'
import type { ReadKey } from '../lib/api-client.ts'
import { LanguageProvider, loadMessages, translateWith } from '../lib/language/i18n.tsx'
import { App } from './App.tsx'
import { assetTags } from './assets.ts'
import { documentOf } from './document.ts'
import { AdminChecking } from './layout/AdminChecking.tsx'
import { headOf } from './layout/head.ts'
import { createQueries } from './queries.ts'
import { createAppRouter } from './routes/router.ts'
import { loadFrame } from './routes/routes.storefront.tsx'
import { isSignedOut } from './session/session.ts'

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

const queriesOf = ({ callInProcess }: RenderRequest) =>
  createQueries(async ({ queryKey }) => {
    // Only `read` makes keys that reach the default queryFn.
    const [path, input] = queryKey as ReadKey
    return await callInProcess({ method: 'GET', path }, input).catch((error: unknown) => {
      if (isSignedOut(path, error)) return null
      throw error
    })
  })

/** The document of the admin area: a skeleton without content, for users who may open a page of it. */
export async function renderAdmin(request: RenderRequest & { isMissing?: boolean }): Promise<Rendered> {
  const { url, lang, origin, isMissing = false } = request
  const i18n = await loadMessages(lang)
  const t = translateWith(i18n)
  const queries = queriesOf(request)
  await loadFrame(queries)
  const path = url.split('?')[0] ?? url
  const label = isMissing ? 'admin.missing' : (adminPageAt(path)?.label ?? 'admin.title')
  const html = documentOf({
    lang,
    head: { title: `${t(label)} · ${t('shell.brand')}`, hidden: true },
    address: { origin, path },
    assets: assetTags('admin', lang),
    body: renderToString(
      <LanguageProvider i18n={i18n}>
        <AdminChecking />
      </LanguageProvider>,
    ),
    state: dehydrate(queries),
    hasSplash: false,
  })
  queries.clear()
  return { status: 200, html }
}

export async function render(request: RenderRequest): Promise<Rendered> {
  const { url, lang, origin } = request
  const i18n = await loadMessages(lang)
  const queries = queriesOf(request)
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
  const shown = {
    queries,
    params: last?.params ?? {},
    search: { ...location.search },
    href: location.pathname + location.searchStr,
    t: translateWith(i18n),
    lang,
  }
  const { head, status } = headOf(matches, shown)
  const body = renderToString(<App router={router} queries={queries} i18n={i18n} />)
  const html = documentOf({
    lang,
    head,
    address: { origin, path: head.canonical ?? location.pathname },
    assets: assetTags('shop', lang, last?.staticData ?? {}),
    body,
    state: dehydrate(queries),
  })
  queries.clear()
  return { status, html }
}
