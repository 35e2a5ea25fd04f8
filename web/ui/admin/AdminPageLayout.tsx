import type { ReactNode } from 'react'
import { classes } from '../class-names.ts'
import { CountSkeleton } from './skeletons.tsx'

export interface AdminPageLayoutProps {
  title: ReactNode
  /** Beside the title: the day, a count. */
  subtitle?: ReactNode
  /** The subtitle is loading; its space is reserved. */
  isWaiting?: boolean
  /** Hidden on a phone, where title and buttons fill the line. */
  isSubtitleWide?: boolean | undefined
  /** Search and buttons at the end of the title's line. */
  actions?: ReactNode
  /** Below the title: tabs, filters. */
  head?: ReactNode
  /** A `SidePanel` beside the list. */
  panel?: ReactNode
  /** Limits the width, for a form or a text. */
  narrow?: boolean
  /** A printed page; its content has its own heading. */
  paper?: boolean
  children: ReactNode
}

/** Layout of an admin page: head, content and a side panel. */
export function AdminPageLayout(props: AdminPageLayoutProps) {
  const { title, subtitle, isWaiting, isSubtitleWide, actions, head, panel, narrow, paper, children } = props
  return (
    <div
      className={classes(
        'admin-desk',
        Boolean(panel) && 'desk:grid desk:grid-cols-[minmax(0,1fr)_360px] wide:grid-cols-[minmax(0,1fr)_384px]',
      )}
    >
      <main
        id="main"
        // A click on empty space keeps the focus in the page.
        tabIndex={-1}
        className={classes('flex min-w-0 flex-col md:min-h-dvh', Boolean(panel) && 'border-e border-line')}
      >
        <header
          className={classes(
            'flex min-h-16 flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3 md:px-6 print:px-0',
            paper && 'no-print',
          )}
        >
          <h1 className="min-w-0 text-title wrap-anywhere">{title}</h1>
          {(subtitle || isWaiting) && (
            <div className={classes('text-ink-2', isSubtitleWide && 'max-md:hidden')}>
              {subtitle || <CountSkeleton />}
            </div>
          )}
          {actions && (
            <div className="no-print ms-auto flex flex-wrap items-center gap-2 max-md:has-data-search:w-full">
              {actions}
            </div>
          )}
        </header>
        {head}
        <div className={classes('flex flex-1 flex-col', narrow && 'w-full max-w-180 px-4 pb-10 md:px-6')}>
          {children}
        </div>
      </main>
      {panel}
    </div>
  )
}
