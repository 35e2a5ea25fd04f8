import type { Lang } from '@qatra/contract/lib/lang'
import type { QueryClient } from '@tanstack/react-query'
import { notFound, rootRouteId } from '@tanstack/react-router'
import { createElement, type ReactNode } from 'react'
import { isMissing } from '../lib/api-client.ts'
import type { Translate } from '../lib/language/i18n.tsx'
import { loadMessageGroups, type MessageGroup } from '../lib/language/messages.ts'

export interface PageRequest {
  queries: QueryClient
  params: Record<string, string>
  search: Record<string, unknown>
  /** Path and query, for the way back after signing in. */
  href: string
}

export interface HeadRequest extends PageRequest {
  t: Translate
  lang: Lang
}

export interface Head {
  title: string
  description?: string
  /** Path with the query keys that identify the page; by default the requested path. */
  canonical?: string
  /** Excludes the page from search engines: personal pages and pages that do not exist. */
  hidden?: boolean
  /** Address of a picture for shared links. */
  image?: string
  jsonLd?: object | object[]
}

/** What a page's module exports as `page`. */
export interface Page {
  Component: () => ReactNode
  /** Renders while its data loads, and shows loading errors itself. */
  showsWaiting?: true
  /**
   * Fills the query cache (`queries.ensureQueryData(read(…))`); may throw `redirect(…)`. A request that is answered with 404
   * shows the not-found page.
   */
  load?(request: PageRequest): Promise<unknown>
  /** Pure: reads the cache that `load` filled, so that it can run again when the language changes. */
  head(request: HeadRequest): Head
  /** Instead of the not-found page, in the page's own words. */
  missing?: { Component: () => ReactNode; title(t: Translate): string }
  /** 404 for the not-found page. */
  status?: number
}

export interface PageModule {
  page: Page
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The page after its chunk has loaded. */
    page?: () => Page | undefined
    /** Source of its chunk, and its message groups; the server preloads them. */
    source?: string
    messageGroups?: readonly MessageGroup[]
  }
}

interface LoadContext {
  context: { queries: QueryClient }
  params: Record<string, string>
  location: { search: object; pathname: string; searchStr: string }
}

/** No skeleton is shown if the data arrive within this time (ms). */
const SKELETON_DELAY_MS = 150
const skeletonDelay = () => new Promise((done) => setTimeout(done, SKELETON_DELAY_MS))

/**
 * Route options of a page in its own chunk; chunk, messages (beyond those of the first load) and data load before it is
 * shown.
 */
export function lazyPage(source: string, load: () => Promise<PageModule>, messageGroups: readonly MessageGroup[] = []) {
  let page: Page | undefined
  const fetchPage = async () => {
    const [module] = await Promise.all([load(), loadMessageGroups(messageGroups)])
    page = module.page
    return page
  }
  return {
    // The loader has fetched it. A failure is the loader's error, which the error page shows and retries.
    component: () => (page ? createElement(page.Component) : null),
    notFoundComponent: () => (page?.missing ? createElement(page.missing.Component) : null),
    loader: async (context: LoadContext) => loadData(await fetchPage(), context),
    staticData: { page: () => page, source, messageGroups },
  }
}

/** The same for a page in the first chunk. */
export const readyPage = (page: Page) => ({
  component: page.Component,
  loader: (context: LoadContext) => loadData(page, context),
  staticData: { page: () => page },
})

async function loadData({ load, missing, showsWaiting }: Page, { context, params, location }: LoadContext) {
  const { search, pathname, searchStr } = location
  const request = { queries: context.queries, params, search: { ...search }, href: pathname + searchStr }
  const filled = load?.(request).catch((error: unknown) => {
    throw isMissing(error) ? notFound(missing ? {} : { routeId: rootRouteId }) : error
  })
  // The page runs the same query and shows its error.
  await (showsWaiting ? Promise.race([filled?.catch(() => undefined), skeletonDelay()]) : filled)
}
