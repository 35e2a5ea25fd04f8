import './styles/admin.css'
import { createRoot } from 'react-dom/client'
import { onSignedOut } from '../lib/api-client.ts'
import { loadMessageGroups, loadUsedMessages } from '../lib/language/messages.ts'
import { keepTextNodes } from '../ui/translated-text.ts'
import { App } from './App.tsx'
import { startQueries } from './browser.ts'
import { saveRequestedLang } from './language/language.ts'
import { createAdminRouter } from './routes/router.admin.ts'
import { leaveForSignIn } from './session/admin-exit.ts'
import { awaitSignOut } from './session/await-sign-out.tsx'

const patience = () => new Promise((done) => setTimeout(done, 200))

/**
 * Entry of the admin area: rendered in the browser over the skeleton that the server sent after checking the rights.
 */
async function start() {
  const root = document.getElementById('root')
  if (!root) throw new Error('The page has no #root')
  const lang = document.documentElement.lang === 'en' ? 'en' : 'ar'
  if (await awaitSignOut(root, lang)) return
  const queries = startQueries()
  // The session has ended: on another device, by expiry, or because the permissions were removed.
  onSignedOut(leaveForSignIn)
  const router = createAdminRouter(queries)
  await loadMessageGroups(['admin'])
  // Slow pages show their own skeleton.
  const [i18n] = await Promise.all([loadUsedMessages(lang), Promise.race([router.load(), patience()])])
  saveRequestedLang(queries, lang)
  keepTextNodes()
  createRoot(root).render(<App router={router} queries={queries} i18n={i18n} isolatesArabic />)
}

void start()
