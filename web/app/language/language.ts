import type { Lang } from '@qatra/contract/lib/lang'
import type { User } from '@qatra/contract/users/auth'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { currentUser } from '../../lib/current-user.ts'
import { useLanguage } from '../../lib/language/i18n.tsx'
import { readCookie, setCookie } from '../../lib/site-data.ts'

const year = 365 * 24 * 60 * 60
const isLangSaved = () => ['ar', 'en'].includes(readCookie('lang') ?? '')

/** In a cookie, so that the server writes the first byte in the right language. */
const saveLang = (lang: Lang) => setCookie('lang', lang, year)

/**
 * Saves the language of `?lang`: in the cookie if the visitor has none yet, and in the profile of a signed-in person,
 * which sets the language of messages.
 */
export function saveRequestedLang(queries: QueryClient, lang: Lang) {
  if (!isAsked(lang)) return
  if (!isLangSaved()) saveLang(lang)
  saveInProfile(queries, lang)
}

const SIGN_IN_TIMEOUT_MS = 2_000

/**
 * Saves the language of the sign-in page in the profile of the person who signed in. Runs before the page navigates,
 * which would cancel the call.
 */
export async function saveLangOfSignIn(queries: QueryClient, user: User, lang: Lang): Promise<void> {
  if (!isAsked(lang) || user.language === lang) return
  await Promise.race([saveProfileLanguage(queries, lang), new Promise((done) => setTimeout(done, SIGN_IN_TIMEOUT_MS))])
}

function isAsked(lang: Lang): boolean {
  const requested = new URLSearchParams(location.search).getAll('lang')
  return requested.length === 1 && requested[0] === lang
}

/** Skipped while impersonating: the language is the staff member's, the profile is not. */
function saveInProfile(queries: QueryClient, lang: Lang) {
  const user = queries.getQueryData(currentUser().queryKey)
  if (!user || user.impersonatedBy || user.language === lang) return
  void saveProfileLanguage(queries, lang)
}

/** A separate chunk, since few visitors need it. */
const saveProfileLanguage = (queries: QueryClient, lang: Lang) =>
  import('./profile-language.ts')
    .then((one) => one.saveProfileLanguage(queries, lang))
    .catch((error: unknown) => console.warn('The profile keeps its language', error))

/** Fonts are used by the first text that needs them, or not at all. */
const loadFonts = (lang: Lang) =>
  Promise.allSettled(
    [400, 600].map((weight) => document.fonts?.load(`${weight} 1em "IBM Plex Sans Arabic"`, lang === 'ar' ? 'م' : 'a')),
  )

/** Changes messages, direction, profile, cookie and `?lang`; keeps scroll, focus, hash and the other query keys. */
export function useChangeLanguage() {
  const { setLang } = useLanguage()
  const router = useRouter()
  const queries = useQueryClient()
  return async (lang: Lang) => {
    await loadFonts(lang)
    await setLang(lang)
    saveLang(lang)
    saveInProfile(queries, lang)
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
