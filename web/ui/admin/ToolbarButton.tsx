import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ReactNode } from 'react'
import { classes } from '../class-names.ts'
import type { Icon } from '../icons.tsx'

/** Classes of the quiet buttons over tables and panels, also for links: `<Link className={toolbarButtonClass()}>`. */
export const toolbarButtonClass = (chosen = false, more?: string, tone?: 'danger') =>
  classes(
    'inline-flex h-8.5 flex-none items-center gap-1.5 rounded-[10px] px-3 whitespace-nowrap transition-colors duration-120 max-md:h-tap',
    chosen ? 'bg-gulf-soft font-strong text-gulf' : 'bg-well hover:bg-well-2',
    !chosen && (tone === 'danger' ? 'text-clay' : 'text-ink'),
    more,
  )

interface OwnProps {
  icon?: Icon
  tone?: 'danger'
  chosen?: boolean
  className?: string
  children: ReactNode
}

export function ToolbarButton(props: OwnProps & Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'>) {
  const { icon: Sign, tone, chosen, className, children, ...button } = props
  return (
    <button type="button" {...button} className={toolbarButtonClass(chosen, className, tone)}>
      {Sign && <Sign size={16} aria-hidden="true" className={chosen || tone ? undefined : 'text-ink-3'} />}
      {children}
    </button>
  )
}

/** The same as a download link. */
export function ToolbarLink(props: OwnProps & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'className'>) {
  const { icon: Sign, tone, chosen, className, children, ...link } = props
  return (
    <a {...link} className={toolbarButtonClass(chosen, className, tone)}>
      {Sign && <Sign size={16} aria-hidden="true" className="text-ink-3" />}
      {children}
    </a>
  )
}
