// Where does it begin?
import { mount } from 'svelte';
import App from './App.svelte';
import { look } from './shell/look.svelte';
import { router } from './shell/router.svelte';
import './styles/base.css';

look.apply();
router.listen();
mount(App, { target: document.getElementById('app')! });
