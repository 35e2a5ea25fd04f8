import type { Lang } from '@qatra/contract/lang'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useLanguage } from './i18n.tsx'
import { currentUser } from './session.ts'
import { readCookies, writeCookie } from './site-data.ts'

const year = 365 * 24 * 60 * 60
const savedLang = () => /(?:^|;\s*)lang=(ar|en)(?:;|$)/.exec(readCookies())?.[1]

/** The one cookie that scripts may read, so that the server writes the first byte in the right language. */
function saveLang(lang: Lang) {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  writeCookie(`lang=${lang}; Path=/; Max-Age=${year}; SameSite=Lax${secure}`)
}

/** A visitor who came by a link with `?lang` and chose nothing before keeps its language on the pages that follow. */
export function keepAskedLang(lang: Lang) {
  if (!savedLang() && new URLSearchParams(location.search).get('lang') === lang) saveLang(lang)
}

/** Changes words, direction, profile, cookie and `?lang`; scroll, focus, hash and the other query keys stay as they are. */
export function useChangeLanguage() {
  const { setLang } = useLanguage()
  const router = useRouter()
  const queries = useQueryClient()
  return async (lang: Lang) => {
    await setLang(lang)
    saveLang(lang)
    const user = queries.getQueryData(currentUser().queryKey)
    // Its own chunk: few are signed in and change it.
    if (user && user.language !== lang)
      void import('./profile-language.ts').then((one) => one.tellProfile(queries, lang))
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
