// Without the fonts that the theme would load: readers have their own.
import theme from 'vitepress/theme-without-fonts';
import { h } from 'vue';
import './style.css';

export default {
  ...theme,
  Layout: () =>
    h(theme.Layout, null, {
      'not-found': () =>
        h('main', { class: 'missing' }, [
          h('h1', 'There is no such page'),
          h('p', 'Search for it, or choose one from the menu.'),
        ]),
    }),
};
