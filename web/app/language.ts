import type { User } from '@qatra/contract/auth'
import type { Lang } from '@qatra/contract/lang'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useLanguage } from './i18n.tsx'
import { currentUser } from './session.ts'
import { readCookie, setCookie } from './site-data.ts'

const year = 365 * 24 * 60 * 60
const isLangSaved = () => ['ar', 'en'].includes(readCookie('lang') ?? '')

/** In a cookie, so that the server writes the first byte in the right language. */
const saveLang = (lang: Lang) => setCookie('lang', lang, year)

/**
 * The language of an address with `?lang` is kept: for a visitor who chose none before on the pages that follow, for
 * somebody signed in in the profile, whose language messages have.
 */
export function keepAskedLang(queries: QueryClient, lang: Lang) {
  if (!isAsked(lang)) return
  if (!isLangSaved()) saveLang(lang)
  keepInProfile(queries, lang)
}

const SIGN_IN_PATIENCE_MS = 2_000

/**
 * The language asked for or chosen on the sign-in page goes to the profile of whoever signed in there. It is sent before
 * the page leaves for another one, which would cancel the call.
 */
export async function keepLangOfSignIn(queries: QueryClient, user: User, lang: Lang): Promise<void> {
  if (!isAsked(lang) || user.language === lang) return
  await Promise.race([tellProfile(queries, lang), new Promise((done) => setTimeout(done, SIGN_IN_PATIENCE_MS))])
}

function isAsked(lang: Lang): boolean {
  const asked = new URLSearchParams(location.search).getAll('lang')
  return asked.length === 1 && asked[0] === lang
}

/** Not while impersonating: the language is the staff member's, the profile another person's. */
function keepInProfile(queries: QueryClient, lang: Lang) {
  const user = queries.getQueryData(currentUser().queryKey)
  if (!user || user.impersonatedBy || user.language === lang) return
  void tellProfile(queries, lang)
}

/** Its own chunk: few are signed in and change it. */
const tellProfile = (queries: QueryClient, lang: Lang) =>
  import('./profile-language.ts')
    .then((one) => one.tellProfile(queries, lang))
    .catch((error: unknown) => console.warn('The profile keeps its language', error))

/** Changes words, direction, profile, cookie and `?lang`; scroll, focus, hash and the other query keys stay as they are. */
export function useChangeLanguage() {
  const { setLang } = useLanguage()
  const router = useRouter()
  const queries = useQueryClient()
  return async (lang: Lang) => {
    await setLang(lang)
    saveLang(lang)
    keepInProfile(queries, lang)
    await router.navigate({
      to: '.',
      search: (all) => ({ ...all, lang }),
      hash: true,
      state: true,
      replace: true,
      resetScroll: false,
      hashScrollIntoView: false,
    })
  }
}
