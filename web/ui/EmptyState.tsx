import type { ReactNode } from 'react'
import { Bottle } from './Bottle.tsx'

interface EmptyStateProps {
  title: string
  text?: ReactNode
  /** Heading level; h1 if it is the title of the page. */
  as?: 'h1' | 'h2' | 'h3'
  /** The next step: one button or link. */
  children?: ReactNode
}

export function EmptyState({ title, text, as: Title = 'h2', children }: EmptyStateProps) {
  return (
    <div className="py-2 text-center">
      <div className="mb-2 flex items-end justify-center gap-0.5">
        <Bottle shape="b-200" height={96} />
        <Bottle shape="b-5g" height={120} />
        <Bottle shape="b-500" height={96} />
      </div>
      <Title className="text-heading">{title}</Title>
      {text && <p className="text-ink-2">{text}</p>}
      {children && <div className="mt-3.5">{children}</div>}
    </div>
  )
}
