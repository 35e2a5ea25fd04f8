import { type ReactNode, useEffect, useState } from 'react'
import { installPrompt } from '../app/offline/install-prompt.ts'
import { useT } from '../lib/language/i18n.tsx'
import { localStore } from '../lib/site-data.ts'
import { Button } from '../ui/Button.tsx'

const SHOWN = 'install-hint'

/** By the browser's dialog, or by words for its menu. */
type Way = 'prompt' | 'ios' | 'android'

const texts = { prompt: 'install.text', ios: 'install.ios', android: 'install.android' } as const

/** iPads call themselves Macintosh, which have no touch screens. */
const isIos = () =>
  /iPhone|iPad/.test(navigator.userAgent) || (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)

function wayToInstall(): Way | null {
  if (matchMedia('(display-mode: standalone)').matches || localStore.getItem(SHOWN) !== null) return null
  if (installPrompt.event) return 'prompt'
  if (isIos()) return 'ios'
  return /Android/.test(navigator.userAgent) ? 'android' : null
}

/** Offers once, after the first order on this device, to put the shop on the home screen. */
export function InstallHint(): ReactNode {
  const t = useT()
  const [way, setWay] = useState<Way | null>(null)
  useEffect(() => {
    const found = wayToInstall()
    setWay(found)
    if (found) localStore.setItem(SHOWN, 'yes')
  }, [])
  if (!way) return null
  const close = () => setWay(null)
  const install = async () => {
    await installPrompt.event?.prompt()
    installPrompt.event = null
    close()
  }
  return (
    <section aria-labelledby="install-hint">
      <h2 id="install-hint" className="text-heading">
        {t('install.title')}
      </h2>
      <p className="text-label text-ink-3">{t(texts[way])}</p>
      <div className="mt-2.5 flex flex-wrap gap-2.5">
        {way === 'prompt' && (
          <Button tone="gulf" onClick={() => void install()}>
            {t('install.do')}
          </Button>
        )}
        <Button tone="link" onClick={close}>
          {t('install.close')}
        </Button>
      </div>
    </section>
  )
}
