import type { IconNode } from 'lucide-react'
import { createElement, type SVGProps } from 'react'
import { classes } from './class-names.ts'

interface IconData {
  name: string
  node: IconNode
  aliases?: readonly string[]
}
type IconProps = SVGProps<SVGSVGElement> & { size?: number | string }

/**
 * Replaces `createLucideIcon` in the builds (vite.config.ts): the same markup without options that no icon uses, such as a
 * context, which are 0.7 KB of the first visit.
 */
// oxlint-disable-next-line import/no-default-export -- as in the module that it replaces
export default function createIcon(given: IconData | string, drawing: IconNode = []) {
  const { name, node, aliases = [] } = typeof given === 'string' ? { name: given, node: drawing } : given
  const named = ['lucide', ...[name, ...aliases].map((one) => `lucide-${one}`)].join(' ')
  const children = node.map(([tag, attributes]) => createElement(tag, attributes))
  return ({ size = 24, className, ...rest }: IconProps) =>
    createElement(
      'svg',
      {
        xmlns: 'http://www.w3.org/2000/svg',
        width: size,
        height: size,
        viewBox: '0 0 24 24',
        fill: 'none',
        stroke: 'currentColor',
        strokeWidth: 2,
        strokeLinecap: 'round',
        strokeLinejoin: 'round',
        className: classes(named, className),
        'aria-hidden': 'true',
        ...rest,
      },
      children,
    )
}
