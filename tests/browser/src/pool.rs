//! Browsers that are used again: to start one takes longer than most stories.
//!
//! A story gets a browser of its engine that nobody uses, or a new one. Each story loads from a server of its own, which is
//! an origin of its own, so that it finds neither the storage nor the cache of another. A browser in which a story failed,
//! or that was changed in a way that lasts, is not used again.

use crate::driver::Driver;
use crate::engine::Engine;
use std::sync::{Mutex, MutexGuard, PoisonError};

#[derive(Default)]
pub struct Pool {
    idle: Mutex<Vec<Driver>>,
}

impl Pool {
    pub fn take(&self, engine: Engine, dark: bool) -> Driver {
        let mut idle = lock(&self.idle);
        // Only WebKit cannot change its colours later.
        let fits = |it: &Driver| it.engine() == engine && (engine != Engine::WebKit || it.is_dark() == dark);
        if let Some(at) = idle.iter().position(fits) {
            return idle.swap_remove(at);
        }
        drop(idle);
        Driver::start(engine, dark)
    }

    pub fn give_back(&self, driver: Driver) {
        if driver.rest() {
            lock(&self.idle).push(driver);
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
