// Starts the app.
import { mount } from 'svelte';
import App from './App.svelte';
import { pageAt } from './pages';
import { look } from './shell/look.svelte';
import { router } from './shell/router.svelte';
import './styles/base.css';

look.apply();
router.listen();
// The page's code is fetched while the server says who is there; if that fails, the page itself says so.
pageAt(router.address.path)
  ?.page.load()
  .catch(() => {});
mount(App, { target: document.getElementById('app')! });
