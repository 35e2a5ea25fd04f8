import { formatDateTime } from '@qatra/contract/calendar/calendar'
import type { Lang } from '@qatra/contract/lib/lang'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { CallError } from '../../lib/api-client.ts'
import { LanguageProvider, useLanguage } from '../../lib/language/i18n.tsx'
import { loadUsedMessages } from '../../lib/language/messages.ts'
import { AgainIcon } from '../../ui/icons.tsx'
import { App } from '../App.tsx'
import { startQueries } from '../browser.ts'
import { ErrorPage } from '../layout/ErrorPage.tsx'
import { type AppRouter, createAppRouter } from '../routes/router.ts'
import { restore } from './saved.ts'
import { OFFLINE_PAGE } from './shop-pages.ts'

/** Starts the shop on the page that the service worker serves without a network, with the saved data. */
export async function startOffline(root: HTMLElement, lang: Lang) {
  const queries = startQueries()
  const router = createAppRouter({ queries })
  // While the queries have what came with the cached page.
  await router.preloadRoute({ to: OFFLINE_PAGE })
  router.update({ ...router.options, defaultErrorComponent: notSaved(router) })
  const savedAt = restore(queries)
  const [i18n] = await Promise.all([loadUsedMessages(lang), router.load()])
  root.replaceChildren()
  createRoot(root).render(
    <>
      {savedAt !== null && (
        <LanguageProvider i18n={i18n}>
          <SavedNotice at={savedAt} />
        </LanguageProvider>
      )}
      <App router={router} queries={queries} i18n={i18n} />
    </>,
  )
}

/** In place of a page that was not saved: the offline page. It is not imported, so that it stays a chunk of its own. */
const notSaved = (router: AppRouter) =>
  function NotSaved(props: ErrorComponentProps) {
    const Offline = router.routesByPath[OFFLINE_PAGE].options.component
    const isOffline = props.error instanceof CallError ? props.error.code === 'OFFLINE' : !navigator.onLine
    return isOffline && Offline ? <Offline /> : <ErrorPage {...props} />
  }

/** Says that the page is a saved one. The page is renewed by a press alone: it may contain something unsent. */
function SavedNotice({ at }: { at: number }) {
  const { t, lang } = useLanguage()
  return (
    <section role="status" aria-label={t('offline.title')} className="no-print bg-well">
      <div className="wrap flex min-h-tap items-center justify-between gap-x-4 py-1 text-label">
        <p>{t('offline.saved', { when: formatDateTime(new Date(at), lang) })}</p>
        <button
          type="button"
          className="flex min-h-tap flex-none items-center gap-1.5 rounded-m font-strong text-aqua-ink"
          onClick={() => location.reload()}
        >
          <AgainIcon size={18} aria-hidden="true" />
          {t('offline.retry')}
        </button>
      </div>
    </section>
  )
}
