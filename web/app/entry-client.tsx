import './styles/app.css'
import { startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { loadUsedMessages } from '../lib/language/messages.ts'
import { App } from './App.tsx'
import { startQueries } from './browser.ts'
import { keepDocumentArea } from './delivery-area.ts'
import { saveRequestedLang } from './language/language.ts'
import { createAppRouter } from './routes/router.ts'
import { awaitSignOut } from './session/await-sign-out.tsx'

const loadOffline = () => import('./offline/start.ts')
/** By then the page has loaded. */
const AT_REST_MS = 4_000

async function start() {
  const root = document.getElementById('root')
  if (!root) throw new Error('The page has no #root')
  const lang = document.documentElement.lang === 'en' ? 'en' : 'ar'
  if (await awaitSignOut(root, lang)) return
  if (root.querySelector('[data-offline]')) return (await loadOffline()).startOffline(root, lang)
  const queries = startQueries()
  keepDocumentArea(queries)
  const router = createAppRouter({ queries })
  // Load everything that the server rendered before hydration, or React discards the markup.
  router.ssr = { manifest: undefined }
  const [i18n] = await Promise.all([loadUsedMessages(lang), router.load()])
  saveRequestedLang(queries, lang)
  // In slices, between which the page answers presses.
  startTransition(() => void hydrateRoot(root, <App router={router} queries={queries} i18n={i18n} />))
  // Not part of the first load, which a translator does not touch.
  import('../ui/translated-text.ts').then(({ keepTextNodes }) => keepTextNodes()).catch(() => undefined)
  setTimeout(() => {
    loadOffline()
      .then((one) => one.start(queries, router))
      // The page works without it, and the next one tries again.
      .catch(() => undefined)
  }, AT_REST_MS)
}

void start()
