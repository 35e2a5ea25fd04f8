import './styles/app.css'
import { hydrate } from '@tanstack/react-query'
import { hydrateRoot } from 'react-dom/client'
import { App } from './App.tsx'
import { fetchKey, type ReadKey } from './call.ts'
import { keepAskedLang } from './language.ts'
import { createQueries } from './queries.ts'
import { createAppRouter } from './router.ts'
import { isSignedOut } from './session.ts'
import { loadWordsInUse } from './words.ts'

async function start() {
  const root = document.getElementById('root')
  if (!root) throw new Error('The page has no #root')
  const queries = createQueries(async (asked) => {
    try {
      return await fetchKey(asked)
    } catch (error) {
      const [path] = asked.queryKey as unknown as ReadKey
      if (isSignedOut(path, error)) return null
      throw error
    }
  })
  const state = document.getElementById('state')
  hydrate(queries, JSON.parse(state?.textContent ?? 'null'))
  // It may hold a person's data, which must not stay in the page after signing out.
  state?.remove()
  const router = createAppRouter({ queries })
  // The markup is the server's: boundaries are where it put them, and everything it showed is loaded before React looks.
  router.ssr = { manifest: undefined }
  const lang = document.documentElement.lang === 'en' ? 'en' : 'ar'
  const [words] = await Promise.all([loadWordsInUse(lang), router.load()])
  keepAskedLang(lang)
  hydrateRoot(root, <App router={router} queries={queries} words={words} />)
}

void start()
