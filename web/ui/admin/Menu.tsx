import { Menu as Base } from '@base-ui/react/menu'
import { type ComponentProps, type ReactElement, type ReactNode, useRef } from 'react'
import { classes } from '../class-names.ts'
import { CheckIcon } from '../icons.tsx'
import type { MenuProps } from '../Menu.tsx'

interface AdminMenuProps extends MenuProps {
  /** Where the list opens, if there is room; `above` for a button at the foot of the screen. */
  place?: 'below' | 'above'
}

/** A button that opens a short list of actions. */
export function Menu({ label, button, buttonLabel, className, place = 'below', choices }: AdminMenuProps) {
  return (
    <MenuPopup
      label={label}
      trigger={
        <button type="button" className={className} aria-label={buttonLabel}>
          {button}
        </button>
      }
      side={place === 'above' ? 'top' : 'bottom'}
      align={place === 'above' ? 'start' : 'end'}
      className="w-50"
    >
      {choices.map(({ key, label: words, lang, icon: Sign, chosen, onChoose }) => (
        <Base.Item
          key={key}
          role={chosen === undefined ? 'menuitem' : 'menuitemradio'}
          aria-checked={chosen}
          lang={lang}
          className={classes(
            'flex h-tap cursor-pointer items-center gap-2.5 rounded-s px-3 text-ink data-highlighted:bg-well',
            chosen && 'bg-well font-strong',
          )}
          onClick={onChoose}
        >
          {chosen !== undefined && (
            <span className="w-5 text-aqua-ink">{chosen && <CheckIcon size={18} aria-hidden="true" />}</span>
          )}
          {Sign && <Sign size={20} className="text-ink-2" aria-hidden="true" />}
          {words}
        </Base.Item>
      ))}
    </MenuPopup>
  )
}

interface MenuPopupProps extends Pick<ComponentProps<typeof Base.Positioner>, 'side' | 'align'> {
  label: string
  trigger: ReactElement
  className?: string
  /** Above the list. */
  search?: ReactNode
  /** The items. */
  children: ReactNode
}

/** Trigger and popup of a menu. */
export function MenuPopup({ label, trigger, side, align, className, search, children }: MenuPopupProps) {
  // Rendered beside the button, because a modal dialog makes everything outside of it inert.
  const box = useRef<HTMLDivElement>(null)
  return (
    <div ref={box} className="relative">
      <Base.Root modal={false}>
        <Base.Trigger render={trigger} />
        <Base.Portal container={box}>
          <Base.Positioner side={side} align={align} sideOffset={4} collisionPadding={8} className="z-30">
            <Base.Popup
              className={classes('appear rounded-m bg-surface p-1.5 text-ink shadow-float outline-none', className)}
            >
              {search}
              <Base.List
                aria-label={label}
                className="max-h-[min(372px,var(--available-height))] overflow-y-auto outline-none"
              >
                {children}
              </Base.List>
            </Base.Popup>
          </Base.Positioner>
        </Base.Portal>
      </Base.Root>
    </div>
  )
}
