import { type ReactNode, useEffect, useRef } from 'react'
import { useT } from '../../web/lib/language/i18n.tsx'

interface MessageLogProps {
  /** Id of the newest message; a change scrolls to the end. */
  latest: string | number | undefined
  children: ReactNode
}

/** Messages of the phone, newest at the end. */
export function MessageLog({ latest, children }: MessageLogProps) {
  const t = useT()
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (list.current) list.current.scrollTop = list.current.scrollHeight
  }, [latest])
  return (
    <div
      ref={list}
      role="log"
      aria-label={t('simulator.messages')}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- focusable, to scroll by keyboard
      tabIndex={0}
      className="flex flex-1 flex-col gap-3 overflow-y-auto overscroll-contain bg-well p-3"
    >
      {children}
    </div>
  )
}
