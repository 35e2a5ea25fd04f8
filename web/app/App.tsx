import type { I18n } from '@lingui/core'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { LanguageProvider } from '../lib/language/i18n.tsx'
import type { AppRouter } from './routes/router.ts'

interface AppProps {
  router: AppRouter
  queries: QueryClient
  i18n: I18n
  isolatesArabic?: boolean
}

/** The root component of server and browser. */
export function App({ router, queries, i18n, isolatesArabic = false }: AppProps) {
  return (
    <QueryClientProvider client={queries}>
      <LanguageProvider i18n={i18n} isolatesArabic={isolatesArabic}>
        <RouterProvider router={router} />
      </LanguageProvider>
    </QueryClientProvider>
  )
}
