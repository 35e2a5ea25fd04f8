import { type ReactNode, useEffect, useRef } from 'react'
import { Mark } from '../Mark.tsx'
import { initialsOf } from './Avatar.tsx'

interface PrintHeaderProps {
  title: ReactNode
  /** Below the title: vendor or driver, and day. */
  text: ReactNode
  /** At the end: totals and time of printing. */
  sum: ReactNode
  printed: ReactNode
}

/** Opens the print dialog once the page is complete; a later refetch does not open it again. */
export function usePrintOnce(isComplete: boolean) {
  const isPrinted = useRef(false)
  useEffect(() => {
    if (!isComplete || isPrinted.current) return
    isPrinted.current = true
    window.print()
  }, [isComplete])
}

/** The head of a printed list. */
export function PrintHeader({ title, text, sum, printed }: PrintHeaderProps) {
  return (
    <header className="flex items-start gap-3.5 border-b-2 border-ink pb-2.5">
      <Mark size={40} />
      <div className="min-w-0">
        <h2 className="text-title wrap-anywhere">{title}</h2>
        <p className="wrap-anywhere text-ink-2">{text}</p>
      </div>
      <p className="ms-auto text-end text-[0.75rem] leading-relaxed text-ink-3">
        <b className="block text-body leading-snug text-ink">{sum}</b>
        {printed}
      </p>
    </header>
  )
}

/** A checkbox on paper. */
export const PrintCheckbox = () => (
  <span aria-hidden="true" className="inline-block size-4 rounded-[3px] border-[1.5px] border-ink align-[-3px]" />
)

const shapes = [
  <circle key="circle" cx="12" cy="12" r="10.2" />,
  <rect key="square" x="2" y="2" width="20" height="20" rx="4" />,
  <rect key="diamond" x="4.2" y="4.2" width="15.6" height="15.6" rx="2.5" transform="rotate(45 12 12)" />,
  <path key="hexagon" d="M12 1.5 21.5 6.8V17.2L12 22.5 2.5 17.2V6.8Z" strokeLinejoin="round" />,
]

/** Marks a driver by shape and initial, without colour. */
export function DriverMark({ name, at, initials }: { name: string; at: number; initials?: string | undefined }) {
  const text = initials ?? initialsOf(name).slice(0, 1)
  const shape = shapes[at % shapes.length]
  return (
    <svg
      width="20"
      height="20"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.7"
      aria-hidden="true"
      className="inline-block align-[-6px]"
    >
      {shape}
      <text
        x="12"
        y="16.3"
        textAnchor="middle"
        fontSize={text.length > 1 ? 10 : 12}
        fill="currentColor"
        stroke="none"
        className="font-strong"
      >
        {text}
      </text>
    </svg>
  )
}
