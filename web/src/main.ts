// Starts the app.
import { mount } from 'svelte';
import App from './App.svelte';
import { pageAt } from './pages';
import { look } from './shell/look.svelte';
import { router } from './shell/router.svelte';
import './styles/tokens.css';
import './styles/base.css';
import './styles/boot.css';

look.apply();
router.listen();
// Fetches the page's code while the session loads. If that fails, the page shows the error.
pageAt(router.address.path)
  ?.page.load()
  .catch(() => {});
// Text that is written before the typeface is there would move when it comes. It is preloaded, so this rarely waits.
const patience = new Promise((resolve) => setTimeout(resolve, 1000));
await Promise.race([document.fonts.load('1rem "Public Sans"'), patience]).catch(() => {});
mount(App, { target: document.getElementById('app')! });
